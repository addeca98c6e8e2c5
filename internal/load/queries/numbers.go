package queries

import (
	"fmt"
	"strconv"
)

// maxNumbers bounds what "numbers" holds in memory.
const maxNumbers = 50_000_000

// newNumbers makes the list of h0 to h(n-1) below base.
func newNumbers(name, base string, n int, o *Options) (*List, error) {
	if err := ascii(base); err != nil {
		return nil, nameError(base, err)
	}
	l := &List{name: name, rounds: o.Rounds}
	f, host := o.Ask.frame(), []byte("h")
	below := "." + base
	if base == "." {
		below = base
	}
	for k := range n {
		from := len(l.slab)
		host = append(strconv.AppendInt(host[:1], int64(k), 10), below...)
		slab, err := appendQuery(l.slab, f, string(host), o.typ(), classIN)
		if err != nil {
			return nil, nameError(base, fmt.Errorf("%w, with h%d before it", reasonOf(err), k))
		}
		l.slab = slab
		if err := l.end(from, o.typ(), 0); err != nil {
			return nil, err
		}
	}
	return l, nil
}
