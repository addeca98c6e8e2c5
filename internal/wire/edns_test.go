package wire

import (
	"bytes"
	"testing"
)

func TestCheckEDNS(t *testing.T) {
	a := record(typeA, "c0000201")
	none := Info{}
	for _, test := range []struct {
		what string
		msg  []byte
		want Info // the EDNS fields and Rcode
	}{
		{"none", response(1, 0, 0, a), none},
		{"plain", response(1, 0, 1, a, optRecord), Info{OPT: true, UDPSize: 1232}},
		{"before another record", response(0, 0, 2, optRecord, a), Info{OPT: true, UDPSize: 1232}},
		{"size below 512", response(0, 0, 1, "00 0029 01ff 00000000 0000"), Info{OPT: true, UDPSize: 512}},
		{"size 0", response(0, 0, 1, "00 0029 0000 00000000 0000"), Info{OPT: true, UDPSize: 512}},
		{"DO", response(0, 0, 1, "00 0029 04d0 00008000 0000"), Info{OPT: true, UDPSize: 1232, DNSSECOK: true}},
		{"other flags", response(0, 0, 1, "00 0029 04d0 00007fff 0000"), Info{OPT: true, UDPSize: 1232}},
		{"version", response(0, 0, 1, "00 0029 04d0 00050000 0000"), Info{OPT: true, UDPSize: 1232, Version: 5}},
		{"BADVERS", response(0, 0, 1, "00 0029 04d0 01000000 0000"), Info{OPT: true, UDPSize: 1232, Rcode: 16}},
		{"rcode 4080", response(0, 0, 1, "00 0029 04d0 ff000000 0000"), Info{OPT: true, UDPSize: 1232, Rcode: 0xFF0}},
		{"options", response(0, 0, 1, "00 0029 04d0 00000000 0009 fde9 0000 000a 0001 77"), Info{OPT: true, UDPSize: 1232}},
		{"in the answer", response(1, 0, 0, "00 0029 04d0 01000000 0000"), none},
		{"in the authority section", response(0, 1, 0, "00 0029 04d0 01000000 0000"), none},
		{"not the root's", response(0, 0, 1, "c00c 0029 04d0 01000000 0000"), none},
		{"not the root's, and the root's", response(0, 0, 2, "c00c 0029 04d0 01000000 0000", optRecord), Info{OPT: true, UDPSize: 1232}},
	} {
		got, err := Check(test.msg)
		test.want.Header, test.want.End = got.Header, len(test.msg)
		if err != nil || got != test.want {
			t.Errorf("%s: %+v, %v, want %+v", test.what, got, err, test.want)
		}
	}
}

func TestCheckRcode(t *testing.T) {
	msg := response(0, 0, 1, "00 0029 04d0 ab000000 0000")
	msg[3] |= 7
	if info, err := Check(msg); err != nil || info.Rcode != 0xAB7 {
		t.Errorf("%#x, %v, want 0xab7", info.Rcode, err)
	}
}

func TestQueryOPT(t *testing.T) {
	const counts = "1234 0100 0001 0000 0000 0001" + question
	for _, test := range []struct {
		what          string
		msg           string
		opt, explicit bool
	}{
		{"none", "1234 0100 0001 0000 0000 0000" + question, false, false},
		{"plain", counts + optRecord, true, false},
		{"version 1", counts + "00 0029 04d0 00010000 0000", true, false},
		{"DO", counts + "00 0029 04d0 00008000 0000", true, true},
		{"options", counts + "00 0029 04d0 00000000 0004 000a 0000", true, true},
		{"in the answer section", "1234 0100 0001 0001 0000 0000" + question + optRecord, false, false},
		{"cut", counts + "00 0029 04d0 00000000 00", false, false},
		{"cut behind", "1234 0100 0001 0000 0000 0002" + question + optRecord + "00", false, false},
		{"nothing", "", false, false},
	} {
		if opt, explicit := QueryOPT(octets(test.msg)); opt != test.opt || explicit != test.explicit {
			t.Errorf("%s: %v, %v, want %v, %v", test.what, opt, explicit, test.opt, test.explicit)
		}
	}
}

func TestStripOPT(t *testing.T) {
	const tsig = "00 00fa 00ff 00000000 0000"
	header := func(ar string) string { return "1234 0100 0001 0000 0000" + ar + question }
	for _, test := range []struct {
		what, msg, want string // no want: not ok
	}{
		{"alone", header("0001") + optRecord, header("0000")},
		{"with options", header("0001") + "00 0029 04d0 00008000 0004 000a 0000", header("0000")},
		{"behind another", header("0002") + record(typeA, "c0000201") + optRecord, header("0001") + record(typeA, "c0000201")},
		{"trailing octets go too", header("0001") + optRecord + "ffff", header("0000")},
		{"before another", header("0002") + optRecord + tsig, ""},
		{"none", header("0000"), ""},
		{"another", header("0001") + tsig, ""},
		{"cut", header("0001") + "00 0029", ""},
		{"cut behind", header("0002") + optRecord + "00", ""},
	} {
		got, ok := StripOPT([]byte("before"), octets(test.msg))
		want := append([]byte("before"), octets(test.want)...)
		if ok != (test.want != "") || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, %v, want %x", test.what, got, ok, want)
		}
	}
}

func TestStripOPTRestoresQuery(t *testing.T) {
	with, _ := AppendQuery(nil, "www.example.com", 1, 1, QueryOptions{UDPSize: 1232, DNSSEC: true})
	without, _ := AppendQuery(nil, "www.example.com", 1, 1, QueryOptions{})
	if got, ok := StripOPT(nil, with); !ok || !bytes.Equal(got, without) {
		t.Errorf("%x, %v, want %x", got, ok, without)
	}
}
