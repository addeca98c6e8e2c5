package queries

import "github.com/dnsq/dnsq/internal/wire"

// mixedCase is the Set of another one's queries with names in random case.
type mixedCase struct{ set Set }

// Case lets each letter of the names of a set's queries be upper or lower case at random (draft-vixie-dnsext-dns0x20). What cannot be changed, an update
// or a signed query, stays as it is.
func Case(set Set) Set { return mixedCase{set} }

func (c mixedCase) Timed() bool    { return c.set.Timed() }
func (c mixedCase) String() string { return "random case of " + c.set.String() }

func (c mixedCase) Part(i, n int, seed uint64) Source {
	return &caseSource{c.set.Part(i, n, derive(seed, inner)), newStream(seed, i), make([]byte, 0, 512)}
}

type caseSource struct {
	source Source
	stream stream
	buf    []byte
}

func (s *caseSource) Next(q *Query) bool {
	if !s.source.Next(q) {
		return false
	}
	if end, ok := plain(q.Raw); ok {
		s.buf = append(s.buf[:0], q.Raw...)
		s.flip(s.buf[wire.HeaderLen:end])
		q.Raw = s.buf
	}
	return true
}

// flip changes a name in place. The lengths of its labels are below 'A' and taken for no letters. It has no branch that random letters would mislead.
func (s *caseSource) flip(name []byte) {
	var random uint64
	for i, c := range name {
		if i&63 == 0 {
			random = s.stream.pcg.Uint64()
		}
		letter := (uint64((c|0x20)-'a') - 26) >> 63 // 1 for one
		name[i] = c ^ byte(random&letter)<<5
		random >>= 1
	}
}
