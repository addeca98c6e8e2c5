package wire

import "testing"

func TestPeekHeader(t *testing.T) {
	msg := octets("abcd 8180 0001 0002 0003 0004")
	want := Header{ID: 0xABCD, Bits: 0x8180, QD: 1, AN: 2, NS: 3, AR: 4}
	if h, ok := PeekHeader(msg); !ok || h != want {
		t.Errorf("PeekHeader(%x) = %+v, %v, want %+v, true", msg, h, ok, want)
	}
	for n := range HeaderLen {
		if _, ok := PeekHeader(msg[:n]); ok {
			t.Errorf("PeekHeader of %d octets is ok", n)
		}
		if _, err := Check(msg[:n]); err != ErrHeader {
			t.Errorf("Check of %d octets: %v, want %v", n, err, ErrHeader)
		}
	}
}

func TestSetID(t *testing.T) {
	msg := common()
	SetID(msg, 0xFEDC)
	if h, _ := PeekHeader(msg); h.ID != 0xFEDC {
		t.Errorf("ID is %#x after SetID", h.ID)
	}
}

func TestHeaderBits(t *testing.T) {
	type bits struct{ QR, AA, TC, RD, RA, AD, CD bool }
	for _, test := range []struct {
		word   uint16
		want   bits
		opcode uint8
		rcode  uint8
	}{
		{word: 0x0000},
		{word: 0x8000, want: bits{QR: true}},
		{word: 0x0400, want: bits{AA: true}},
		{word: 0x0200, want: bits{TC: true}},
		{word: 0x0100, want: bits{RD: true}},
		{word: 0x0080, want: bits{RA: true}},
		{word: 0x0040}, // Z, ignored
		{word: 0x0020, want: bits{AD: true}},
		{word: 0x0010, want: bits{CD: true}},
		{word: 0x7800, opcode: 15},
		{word: 0x000F, rcode: 15},
		{word: 0xA183, want: bits{QR: true, RD: true, RA: true}, opcode: 4, rcode: 3},
	} {
		h := Header{Bits: test.word}
		got := bits{
			h.Response(), h.Authoritative(), h.Truncated(), h.RecursionDesired(),
			h.RecursionAvailable(), h.AuthenticData(), h.CheckingDisabled(),
		}
		if got != test.want || h.Opcode() != test.opcode || h.Rcode() != test.rcode {
			t.Errorf("%#04x: %+v, opcode %d, rcode %d; want %+v, %d, %d",
				test.word, got, h.Opcode(), h.Rcode(), test.want, test.opcode, test.rcode)
		}
	}
}
