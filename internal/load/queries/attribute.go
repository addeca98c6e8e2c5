package queries

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

const (
	maxOptions = 4096 // octets of an OPT record's options: far more than a datagram should have
	attributes = "+edns[=SIZE] +noedns +do +cd +ad +nord +nsid +ecs=PREFIX +opt=CODE:HEX, or +no and one of their names"
)

// Set changes what is asked for by one word of a text line: +do, +ecs=192.0.2.0/24. See TextHelp for all.
func (a *Ask) Set(word string) error {
	name, value, given := strings.Cut(word, "=")
	switch name {
	case "+edns":
		return a.setSize(value, given)
	case "+ecs":
		return a.setECS(value)
	case "+opt":
		return a.addOption(value)
	}
	if given {
		return fmt.Errorf("%.40q has a value; only +edns, +ecs and +opt take one", word)
	}
	return a.setFlag(name)
}

func (a *Ask) setFlag(name string) error {
	positive, off := "+"+strings.TrimPrefix(name, "+no"), strings.HasPrefix(name, "+no")
	if !off {
		positive = name
	}
	switch {
	case positive == "+do":
		a.DO = !off
	case positive == "+cd":
		a.CD = !off
	case positive == "+ad":
		a.AD = !off
	case positive == "+rd":
		a.NoRD = off
	case positive == "+nsid":
		a.NSID = !off
	case name == "+noedns":
		a.noEDNS()
	case name == "+noecs":
		a.ECS = netip.Prefix{}
	case name == "+noopt":
		a.Extra = nil
	default:
		return fmt.Errorf("%.40q is unknown; there are %s", name, attributes)
	}
	return nil
}

func (a *Ask) setSize(value string, given bool) error {
	a.EDNS = true
	if !given {
		return nil
	}
	size, err := strconv.ParseUint(value, 10, 16)
	if err != nil || size < 512 {
		return fmt.Errorf("+edns=%.40q is no UDP size; it is 512 to 65535 octets, such as +edns=1232", value)
	}
	a.Size = uint16(size)
	return nil
}

func (a *Ask) setECS(value string) error {
	p, err := netip.ParsePrefix(value)
	if err != nil {
		var ip netip.Addr
		if ip, err = netip.ParseAddr(value); err == nil {
			p = netip.PrefixFrom(ip.WithZone(""), ip.BitLen())
		}
	}
	if err != nil {
		return fmt.Errorf("+ecs=%.60q is no subnet; write one such as +ecs=192.0.2.0/24 or +ecs=2001:db8::/56", value)
	}
	a.ECS = p
	return nil
}

func (a *Ask) addOption(value string) error {
	o, err := ParseOption(value)
	if err != nil {
		return fmt.Errorf("+opt: %w", err)
	}
	total := len(o.Data) + 4
	for _, e := range a.Extra {
		total += len(e.Data) + 4
	}
	if total > maxOptions {
		return errors.New("+opt: the options have more than 4096 octets; a query has to fit a datagram")
	}
	// Clipped: what it is a copy of must keep its own.
	a.Extra = append(slices.Clip(a.Extra), o)
	return nil
}

// ParseOption reads an EDNS option as CODE:HEX, such as 65001:cafe. There may be nothing behind the colon.
func ParseOption(s string) (Option, error) {
	code, data, ok := strings.Cut(s, ":")
	n, err := strconv.ParseUint(code, 10, 16)
	if !ok || err != nil {
		return Option{}, fmt.Errorf("%.40q is no EDNS option; write its code, a colon and its octets in hexadecimal: 65001:cafe", s)
	}
	octets, err := hex.DecodeString(data)
	if err != nil {
		return Option{}, fmt.Errorf("%.40q is no EDNS option: behind the colon stand hexadecimal digits, two an octet: 65001:cafe", s)
	}
	if len(octets) > maxOptions {
		return Option{}, fmt.Errorf("EDNS option %d has %d octets; a query has to fit a datagram: 4096 at most", n, len(octets))
	}
	return Option{Code: uint16(n), Data: octets}, nil
}
