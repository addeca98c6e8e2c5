package resolver

import (
	"net/netip"

	"github.com/dnsq/dnsq/internal/wire"
)

// maxLinks is the most aliases in a row that an address lookup follows.
const maxLinks = 16

// Types and the class that chains are made of (RFC 1035 3.2.2, RFC 6672).
const (
	typeA     = 1
	typeCNAME = 5
	typeAAAA  = 28
	typeDNAME = 39
	classIN   = 1
)

// place is a name in a message, or in memory of its own.
type place struct {
	msg []byte
	off int
}

func (a place) equal(b place) bool { return wire.NamesEqual(a.msg, a.off, b.msg, b.off) }

// chainAddrs follows the aliases in the answer section of msg from its question on. Records of other owners are no answer
// (CVE-2024-25638), whatever their order.
func chainAddrs(msg []byte, typ uint16) (addrs []netip.Addr, canonical string, err error) {
	seen := make([]place, 1, 4)
	seen[0] = place{msg, wire.HeaderLen}
	for {
		owner := seen[len(seen)-1]
		var next place
		addrs, next = lookAt(msg, owner, typ)
		if len(addrs) > 0 || next.msg == nil {
			break
		}
		for _, old := range seen {
			if old.equal(next) {
				return nil, "", ErrLoop
			}
		}
		if len(seen) > maxLinks {
			return nil, "", ErrChain
		}
		seen = append(seen, next)
	}
	if end := seen[len(seen)-1]; len(seen) > 1 {
		text, _ := wire.AppendNameText(nil, end.msg, end.off)
		canonical = string(text)
	}
	return addrs, canonical, nil
}

// lookAt returns the addresses that owner has, or the name that it is an alias of.
func lookAt(msg []byte, owner place, typ uint16) (addrs []netip.Addr, next place) {
	w := wire.Walk(msg)
	for r, ok := w.Next(); ok && r.Section == wire.Answer; r, ok = w.Next() {
		if r.Class != classIN {
			continue
		}
		at := place{msg, r.Owner}
		switch {
		case r.Type == typeDNAME && next.msg == nil:
			next = substitute(owner, at, place{msg, r.Data})
		case r.Type != typ && r.Type != typeCNAME || !at.equal(owner):
		case r.Type == typ:
			if a, ok := netip.AddrFromSlice(msg[r.Data:r.End]); ok {
				addrs = append(addrs, a)
			}
		default:
			next = place{msg, r.Data}
		}
	}
	return addrs, next
}

// substitute returns owner with target in place of its ending dname (RFC 6672 2.2), or no place where owner is not below dname or the name
// would be too long.
func substitute(owner, dname, target place) place {
	full, ok1 := wire.AppendExpanded(nil, owner.msg, owner.off)
	end, ok2 := wire.AppendExpanded(nil, target.msg, target.off)
	if !ok1 || !ok2 {
		return place{}
	}
	for at := 0; full[at] != 0; {
		at += 1 + int(full[at])
		if !(place{full, at}).equal(dname) {
			continue
		}
		if name := append(full[:at:at], end...); len(name) <= wire.MaxName {
			return place{name, 0}
		}
		break
	}
	return place{}
}
