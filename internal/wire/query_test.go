package wire

import (
	"bytes"
	"testing"
)

func TestAppendQuery(t *testing.T) {
	const counts, countsOPT = "0001 0000 0000 0000", "0001 0000 0000 0001"
	for _, test := range []struct {
		options QueryOptions
		want    string
	}{
		{QueryOptions{}, "0000 0000" + counts + question},
		{QueryOptions{RecursionDesired: true}, "0000 0100" + counts + question},
		{QueryOptions{AuthenticData: true}, "0000 0020" + counts + question},
		{QueryOptions{CheckingDisabled: true}, "0000 0010" + counts + question},
		{QueryOptions{DNSSEC: true}, "0000 0000" + counts + question}, // no OPT record, no DO
		{QueryOptions{UDPSize: 1232}, "0000 0000" + countsOPT + question + optRecord},
		{QueryOptions{UDPSize: 65535, DNSSEC: true}, "0000 0000" + countsOPT + question + "00 0029 ffff 00008000 0000"},
	} {
		got, err := AppendQuery([]byte("before"), "www.example.com", 1, 1, test.options)
		want := append([]byte("before"), octets(test.want)...)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%+v: %x, %v, want %x", test.options, got, err, want)
		}
	}
}

func TestAppendQueryQuestion(t *testing.T) {
	got, err := AppendQuery(nil, ".", 0xFF98, 0xFE03, QueryOptions{})
	if want := octets("00 ff98 fe03"); err != nil || !bytes.Equal(got[HeaderLen:], want) {
		t.Errorf("%x, %v, want %x", got, err, want)
	}
	got, err = AppendQuery([]byte("before"), "a..b", 1, 1, QueryOptions{})
	if err == nil || string(got) != "before" {
		t.Errorf("bad name: %q, %v", got, err)
	}
}

func TestQuestionEnd(t *testing.T) {
	const header = "1234 8180 0001 0000 0000 0000"
	for _, test := range []struct {
		what string
		msg  string
		end  int // 0: not ok
	}{
		{"one question", header + question, 33},
		{"junk behind", header + question + "ffff", 33},
		{"the root", header + "00 0002 0001", 17},
		{"two questions", "1234 8180 0002 0000 0000 0000" + question + question, 33},
		{"no question", "1234 8180 0000 0001 0000 0000" + question, 0},
		{"eleven octets", "1234 8180 0001 0000 0000 00", 0},
		{"header alone", header, 0},
		{"half a name", header + "03777777 07657861", 0},
		{"half a type", header + "00 00", 0},
		{"half a class", header + "00 0001 00", 0},
		{"pointer to itself", header + "c00c 0001 0001", 0},
		{"pointer into the header", header + "c004 0001 0001", 0},
	} {
		end, ok := QuestionEnd(octets(test.msg))
		if ok != (test.end != 0) || ok && end != test.end {
			t.Errorf("%s: %d, %v, want %d", test.what, end, ok, test.end)
		}
	}
}

func TestSameQuestion(t *testing.T) {
	query, err := AppendQuery(nil, "www.example.com", 1, 1, QueryOptions{UDPSize: 1232})
	if err != nil {
		t.Fatal(err)
	}
	const header = "1234 8180 0001 0000 0000 0000"
	for _, test := range []struct {
		what  string
		reply string
		want  bool
	}{
		{"equal", header + question, true},
		{"junk behind", header + question + "c0", true},
		{"other case", header + "03575777 076578616d706c45 03436f6d 00 0001 0001", true},
		{"other name", header + "03777777 076578616d706c65 036f7267 00 0001 0001", false},
		{"other letter", header + "03777778 076578616d706c65 03636f6d 00 0001 0001", false},
		{"0x20 apart, no letters", header + "03777777 074578616d706c45 03636f4d 00 0021 0001", false},
		{"shorter name", header + "076578616d706c65 03636f6d 00 0001 0001", false},
		{"longer name", header + "0178 03777777 076578616d706c65 03636f6d 00 0001 0001", false},
		{"labels cut otherwise", header + "0b777777076578616d706c65 03636f6d 00 0001 0001", false},
		{"other type", header + "03777777 076578616d706c65 03636f6d 00 001c 0001", false},
		{"other class", header + "03777777 076578616d706c65 03636f6d 00 0001 0003", false},
		{"type's case folded", header + "03777777 076578616d706c65 03636f6d 00 0001 0101", false},
		{"no question", "1234 8180 0000 0000 0000 0000" + question, false},
		{"two questions", "1234 8180 0002 0000 0000 0000" + question + question, false},
		{"256 questions", "1234 8180 0100 0000 0000 0000" + question, false},
		{"one octet short", header + "03777777 076578616d706c65 03636f6d 00 0001 00", false},
		{"header alone", header, false},
		{"nothing", "", false},
	} {
		if got := SameQuestion(octets(test.reply), query); got != test.want {
			t.Errorf("%s: %v", test.what, got)
		}
	}
	for _, bad := range []string{"", header, "1234 8180 0002 0000 0000 0000" + question + question} {
		if SameQuestion(octets(header+question), octets(bad)) {
			t.Errorf("query %q has the question", bad)
		}
	}
}

// Type and class are compared as they are: 0x41 and 0x61 are two types.
func TestSameQuestionType(t *testing.T) {
	one, _ := AppendQuery(nil, "a", 0x4141, 1, QueryOptions{})
	other, _ := AppendQuery(nil, "a", 0x6161, 1, QueryOptions{})
	if SameQuestion(one, other) {
		t.Error("types 0x4141 and 0x6161 are taken for equal")
	}
}
