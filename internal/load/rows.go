package load

import "github.com/dnsq/dnsq/internal/load/result"

// rows count by the type of the query. A type's row is found in a table of all there are.
type rows struct {
	index []uint16 // by type: one more than its place in list
	list  []row
}

// row is one type's part.
type row struct {
	kind   uint16
	sent   uint64
	rcodes [commonRcodes]uint64
	others map[uint16]uint64
}

// commonRcodes is above every code in use (RFC 6895 2.3); an extended one may be up to 4095.
const commonRcodes = 32

func newRows() rows { return rows{index: make([]uint16, 1<<16)} }

// of is the place of a type's row.
func (r *rows) of(kind uint16) uint16 {
	if r.index[kind] == 0 {
		r.list = append(r.list, row{kind: kind})
		r.index[kind] = uint16(len(r.list))
	}
	return r.index[kind] - 1
}

func (r *row) rcode(code uint16) {
	if code < commonRcodes {
		r.rcodes[code]++
		return
	}
	if r.others == nil {
		r.others = make(map[uint16]uint64)
	}
	r.others[code]++
}

// addTo adds the row to those of the result.
func (r *row) addTo(sum *result.TypeRow) {
	sum.Sent += r.sent
	add := func(code uint16, n uint64) {
		if n > 0 {
			sum.Rcodes[rcodeName(int(code))] += n
		}
	}
	for code, n := range r.rcodes {
		add(uint16(code), n)
	}
	for code, n := range r.others {
		add(code, n)
	}
}
