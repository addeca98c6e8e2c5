package wire

import "testing"

func BenchmarkPeekHeader(b *testing.B) {
	reply := common()
	for b.Loop() {
		PeekHeader(reply)
	}
}

func BenchmarkSameQuestion(b *testing.B) {
	reply := common()
	for _, name := range []string{"www.example.com", "wWw.eXample.cOm", "www.example.net"} {
		query, err := AppendQuery(nil, name, 1, 1, QueryOptions{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run("name="+name, func(b *testing.B) {
			for b.Loop() {
				SameQuestion(reply, query)
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	a := record(typeA, "c0000201")
	for what, msg := range map[string][]byte{
		"a":   common(),
		"aaa": response(3, 0, 1, a, a, a, optRecord),
		"mx":  response(1, 0, 1, record(15, "000a 026d78 c010"), optRecord),
	} {
		b.Run("reply="+what, func(b *testing.B) {
			for b.Loop() {
				Check(msg)
			}
		})
	}
}

func BenchmarkWalk(b *testing.B) {
	reply := common()
	for b.Loop() {
		w := Walk(reply)
		for _, ok := w.Next(); ok; _, ok = w.Next() {
		}
	}
}

func BenchmarkAppendQuery(b *testing.B) {
	room := make([]byte, 0, 512)
	options := QueryOptions{RecursionDesired: true, UDPSize: 1232}
	for b.Loop() {
		AppendQuery(room, "www.example.com", 1, 1, options)
	}
}

func BenchmarkNamesEqual(b *testing.B) {
	reply := common()
	for b.Loop() {
		NamesEqual(reply, 33, reply, HeaderLen)
	}
}
