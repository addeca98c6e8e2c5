package wire

import "testing"

func TestNoAllocation(t *testing.T) {
	reply, query := common(), make([]byte, 0, 512)
	query, err := AppendQuery(query, "WWW.example.com", 1, 1, QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	room := make([]byte, 0, HeaderLen+maxName+4+11)
	bad := response(1, 0, 0, record(typeA, ""))
	long := longName(255)
	options := QueryOptions{RecursionDesired: true, DNSSEC: true, UDPSize: 1232}
	for what, f := range map[string]func(){
		"PeekHeader":   func() { PeekHeader(reply) },
		"QuestionEnd":  func() { QuestionEnd(reply) },
		"SameQuestion": func() { SameQuestion(reply, query) },
		"Check":        func() { Check(reply) },
		"Check of bad": func() { Check(bad) },
		"Walk": func() {
			w := Walk(reply)
			for _, ok := w.Next(); ok; _, ok = w.Next() {
			}
		},
		"AppendQuery":    func() { AppendQuery(room, long, 1, 1, options) },
		"NamesEqual":     func() { NamesEqual(reply, 33, query, HeaderLen) },
		"AppendNameText": func() { AppendNameText(room, reply, 33) },
		"QueryOPT":       func() { QueryOPT(reply) },
		"StripOPT":       func() { StripOPT(room, reply) },
		"AppendFrame":    func() { AppendFrame(room, query) },
	} {
		if allocs := testing.AllocsPerRun(100, f); allocs != 0 {
			t.Errorf("%s: %v allocations", what, allocs)
		}
	}
}
