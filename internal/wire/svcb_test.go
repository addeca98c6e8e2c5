package wire

import "testing"

func TestServiceParameters(t *testing.T) {
	for _, test := range []struct {
		what   string
		params string
		ok     bool
	}{
		{"none", "", true},
		{"alpn", "0001 0003 026832", true},
		{"two protocols", "0001 0006 026832 026833", true},
		{"alpn empty", "0001 0000", false},
		{"empty protocol", "0001 0001 00", false},
		{"empty protocol behind one", "0001 0004 026832 00", false},
		{"protocol past the value", "0001 0003 036832", false},
		{"alpn past the record", "0001 0004 0268", false},
		{"no-default-alpn", "0002 0000", true},
		{"no-default-alpn with a value", "0002 0001 00", false},
		{"port", "0003 0002 01bb", true},
		{"port of one octet", "0003 0001 01", false},
		{"port of three", "0003 0003 0001bb", false},
		{"ipv4hint", "0004 0004 c0000201", true},
		{"two", "0004 0008 c0000201 c0000202", true},
		{"ipv4hint of none", "0004 0000", false},
		{"ipv4hint of five octets", "0004 0005 c000020102", false},
		{"ech", "0005 0001 ff", true},
		{"ech empty", "0005 0000", false},
		{"ipv6hint", "0006 0010 20010db8000000000000000000000001", true},
		{"ipv6hint of none", "0006 0000", false},
		{"ipv6hint of four octets", "0006 0004 c0000201", false},
		{"dohpath", "0007 0010 2f646e732d71756572797b3f646e737d", true},
		{"ohttp", "0008 0000", true},
		{"ohttp with a value", "0008 0001 00", false},
		{"unknown key", "fde9 0000 ffff 0001 00", true},

		{"mandatory", "0000 0002 0001 0001 0003 026832", true},
		{"two mandatory", "0000 0004 0001 0003 0001 0003 026832 0003 0002 01bb", true},
		{"mandatory empty", "0000 0000", false},
		{"mandatory of one octet", "0000 0001 00", false},
		{"mandatory of three", "0000 0003 0001 00", false},
		{"mandatory itself", "0000 0002 0000", false},
		{"mandatory twice the same", "0000 0004 0001 0001 0001 0003 026832", false},
		{"mandatory falling", "0000 0004 0003 0001 0001 0003 026832 0003 0002 01bb", false},

		{"rising keys", "0001 0003 026832 0004 0004 c0000201", true},
		{"equal keys", "0001 0003 026832 0001 0003 026833", false},
		{"falling keys", "0004 0004 c0000201 0001 0003 026832", false},
		{"half a key", "00", false},
		{"half a length", "0001 00", false},
		{"length past the record", "fde9 0001", false},
	} {
		for _, typ := range []int{64, 65} {
			_, err := Check(response(1, 0, 0, record(typ, "0001 00"+test.params)))
			if (err == nil) != test.ok {
				t.Errorf("%s, type %d: %v", test.what, typ, err)
			}
		}
	}
}
