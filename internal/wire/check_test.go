package wire

import (
	"testing"

	"github.com/dnsq/dnsq/internal/vectors"
)

func TestCheck(t *testing.T) {
	a := record(typeA, "c0000201")
	const header = "1234 8180 0001 0000 0000 0000"
	for _, test := range []struct {
		what string
		msg  []byte
		want error
	}{
		{"common", common(), nil},
		{"question alone", response(0, 0, 0), nil},
		{"header alone", octets("1234 8182 0000 0000 0000 0000"), nil},
		{"no question, one record", octets("1234 8180 0000 0001 0000 0000 00 0001 0001 0000003c 0004 c0000201"), nil},
		{"two questions", octets("1234 8180 0002 0000 0000 0000" + question + "c00c 001c 0001"), nil},
		{"every section", response(1, 1, 1, a, a, a), nil},
		{"owner is the root", response(1, 0, 0, "00 0001 0001 0000003c 0004 c0000201"), nil},
		{"owner in data before", response(2, 0, 0, record(5, "0161 c00c"), "c02d 0001 0001 0000003c 0004 c0000201"), nil},

		{"question missing", octets(header), ErrQuestion},
		{"question cut", octets(header + "03777777 00 0001 00"), ErrQuestion},
		{"question's name bad", octets(header + "41 00 0001 0001"), ErrQuestion},
		{"question a pointer to itself", octets(header + "c00c 0001 0001"), ErrQuestion},
		{"second question missing", octets("1234 8180 0002 0000 0000 0000" + question), ErrQuestion},
		{"65,535 questions", octets("1234 8180 ffff 0000 0000 0000" + question), ErrQuestion},
		{"answer missing", response(1, 0, 0), ErrRecord},
		{"second answer missing", response(2, 0, 0, a), ErrRecord},
		{"authority missing", response(1, 1, 0, a), ErrRecord},
		{"additional missing", response(1, 0, 1, a), ErrRecord},
		{"65,535 records in each", response(65535, 65535, 65535, a), ErrRecord},
		{"owner missing", response(1, 0, 0, "c0"), ErrRecord},
		{"fixed part cut", response(1, 0, 0, "c00c 0001 0001 0000003c 00"), ErrRecord},
		{"data missing", response(1, 0, 0, "c00c 0001 0001 0000003c 0004 c00002"), ErrRecord},
		{"RDLENGTH as if signed", response(1, 0, 0, "c00c 0001 0001 0000003c 8000 c0000201"), ErrRecord},
		{"owner's type bad", response(1, 0, 0, "4061 00 0001 0001 0000003c 0004 c0000201"), ErrRecord},
		{"owner a pointer to itself", response(1, 0, 0, "c021 0001 0001 0000003c 0004 c0000201"), ErrName},
		{"owner forward", response(1, 0, 0, "c0ff 0001 0001 0000003c 0004 c0000201"), ErrName},
		{"owner in the header", response(1, 0, 0, "c004 0001 0001 0000003c 0004 c0000201"), ErrName},
		{"owner at 12 without a question", octets("1234 8180 0000 0001 0000 0000 c00c 0001 0001 0000003c 0004 c0000201"), ErrName},
		{"bad data", response(1, 0, 0, record(typeA, "c00002")), ErrData},
		{"bad data in the additional section", response(0, 0, 1, record(typeA, "c000020102")), ErrData},
		{"two OPT records", response(0, 0, 2, optRecord, optRecord), ErrOPT},
		{"two OPT records apart", response(0, 0, 3, optRecord, a, optRecord), ErrOPT},
	} {
		info, err := Check(test.msg)
		if err != test.want {
			t.Errorf("%s: %v, want %v", test.what, err, test.want)
		}
		if err == nil && info.End != len(test.msg) {
			t.Errorf("%s: ends at %d of %d", test.what, info.End, len(test.msg))
		}
	}
}

func TestCheckTrailing(t *testing.T) {
	msg := common()
	end := len(msg)
	for range 20 {
		if info, err := Check(msg); err != nil || info.End != end {
			t.Errorf("%d octets behind: end %d, %v, want %d", len(msg)-end, info.End, err, end)
		}
		msg = append(msg, 0xC0)
	}
}

// No beginning of a message passes for a message.
func TestCheckCut(t *testing.T) {
	msg := common()
	for n := range len(msg) {
		if _, err := Check(msg[:n]); err == nil {
			t.Errorf("%d of %d octets are accepted", n, len(msg))
		}
	}
}

// passes says of a vector whether it is its octets that decide, and not the match with the query or the server's state.
func passes(v *vectors.Vector) bool {
	switch v.ID {
	case "V19", "V20", "V21", "V22", "V23", "V24", "V25", "V87": // no reply to this query
		return true
	}
	return v.Later == vectors.Cookies || v.Want != vectors.Drop && v.WantTCP != vectors.Drop
}

func TestCheckVectors(t *testing.T) {
	for _, v := range vectors.Load(t) {
		msg := v.Message(0x1234)
		info, err := Check(msg)
		if (err == nil) != passes(v) {
			t.Errorf("%s: %v, want %v: %s", v.ID, err, v.Want, v.Right)
		}
		if err != nil {
			continue
		}
		trailing := map[string]int{"V71": 16}[v.ID]
		rcode := map[string]uint16{"V18": 2, "V35": 3, "V60": 0x400, "V61": 16, "V68": 23, "V76": 3, "V77": 3}[v.ID]
		if len(msg)-info.End != trailing || info.Rcode != rcode {
			t.Errorf("%s: %d trailing octets, rcode %d, want %d, %d", v.ID, len(msg)-info.End, info.Rcode, trailing, rcode)
		}
	}
}

// Of those that are no reply to the query, each is told by what it is: never by luck.
func TestVectorsSameQuestion(t *testing.T) {
	other := map[string]bool{
		"V16": true, "V17": true, // too short
		"V18": true, "V19": true, "V20": true, "V87": true, // not one question
		"V23": true, "V24": true, "V25": true, // another question
		"V84": true, "V85": true, "V86": true, // noise
	}
	for _, v := range vectors.Load(t) {
		query, err := AppendQuery(nil, v.Name, v.Type, classIN, QueryOptions{})
		if err != nil {
			t.Fatalf("%s: %v", v.ID, err)
		}
		if got := SameQuestion(v.Message(0), query); got == other[v.ID] {
			t.Errorf("%s: same question: %v", v.ID, got)
		}
	}
}

// Truncated replies are told from header and question alone, whatever follows.
func TestVectorsTruncated(t *testing.T) {
	for _, v := range vectors.Load(t) {
		h, _ := PeekHeader(v.Message(0))
		_, ok := QuestionEnd(v.Message(0))
		if want := v.Want == vectors.TCP; want != (ok && h.Response() && h.Opcode() == 0 && h.Truncated()) {
			t.Errorf("%s: question ok %v, truncated %v, want %v", v.ID, ok, h.Truncated(), want)
		}
	}
}
