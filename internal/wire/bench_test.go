package wire

import "testing"

// reply is the common case: one A record, owned by a pointer to the question, and an OPT record.
var reply = mustHex("12348180000100010000000103777777076578616d706c6503636f6d0000010001c00c000100010000003c0004c000020100002904d0000000000000")

func BenchmarkPeekHeader(b *testing.B) {
	for b.Loop() {
		PeekHeader(reply)
	}
}

func BenchmarkSameQuestion(b *testing.B) {
	query, _ := AppendQuery(nil, "www.example.com", 1, 1, QueryOptions{})
	mixed, _ := AppendQuery(nil, "wWw.eXample.cOm", 1, 1, QueryOptions{})
	for name, q := range map[string][]byte{"case=same": query, "case=mixed": mixed} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				SameQuestion(reply, q)
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	for b.Loop() {
		Check(reply)
	}
}

func BenchmarkAppendQuery(b *testing.B) {
	buf := make([]byte, 0, 512)
	for b.Loop() {
		AppendQuery(buf, "www.example.com", 1, 1, QueryOptions{RecursionDesired: true, UDPSize: 1232})
	}
}
