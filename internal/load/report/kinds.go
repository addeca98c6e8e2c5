package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

// A kind is one line of an account: how many, and what they are.
type kind struct {
	Name  string
	Count uint64
	Means string
}

func lostKinds(l *result.Lost) []kind {
	return []kind{
		{"client drop", l.ClientDrop, "answers dropped in this machine's receive queue"},
		{"send error", l.SendError, "this machine refused to send"},
		{"icmp", l.ICMP, "the network said that the query did not arrive"},
		{"closed", l.Closed, "the connection was closed or could not be made"},
		{"late", l.Late, "answered after the timeout"},
		{"timeout", l.Timeout, "no answer"},
	}
}

func unsentKinds(u *result.Unsent) []kind {
	return []kind{
		{"behind", u.Behind, "the instant had passed by too much"},
		{"window", u.Window, "as many were outstanding as may be"},
	}
}

func strayKinds(s *result.Strays) []kind {
	return []kind{
		{"late", s.Late, "to a query that was given up"},
		{"duplicate", s.Duplicate, "to a query that was answered"},
		{"mismatched", s.Mismatched, "an outstanding ID with another question"},
		{"unsolicited", s.Unsolicited, "to nothing that was asked"},
		{"malformed", s.Malformed, "cannot be read"},
	}
}

// some are the kinds that there are any of.
func some(kinds []kind) (there []kind) {
	for _, k := range kinds {
		if k.Count > 0 {
			there = append(there, k)
		}
	}
	return there
}

func total(kinds []kind) (sum uint64) {
	for _, k := range kinds {
		sum += k.Count
	}
	return sum
}

// listed writes kinds in one line.
func listed(kinds []kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = fmt.Sprintf("%s %d", k.Name, k.Count)
	}
	return strings.Join(words, ", ")
}

// rcodes are those of all types together, in the order of their numbers; those that have none known here come last.
func rcodes(types []result.TypeRow) []kind {
	sums := map[string]uint64{}
	for _, t := range types {
		for name, n := range t.Rcodes {
			sums[name] += n
		}
	}
	order := strings.Fields("NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMP REFUSED YXDOMAIN YXRRSET NXRRSET NOTAUTH NOTZONE")
	rank := func(name string) int {
		if i := slices.Index(order, name); i >= 0 {
			return i
		}
		return len(order)
	}
	list := make([]kind, 0, len(sums))
	for name, n := range sums {
		list = append(list, kind{Name: name, Count: n})
	}
	slices.SortFunc(list, func(a, b kind) int {
		if d := rank(a.Name) - rank(b.Name); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list
}
