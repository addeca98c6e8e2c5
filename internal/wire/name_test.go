package wire

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// prefix stands where a header would.
const prefix = "ffffffff ffffffff ffffffff"

func TestSkipName(t *testing.T) {
	long := fmt.Sprintf("%x", wireName(longName(255)))
	tooLong := fmt.Sprintf("%x%x", append([]byte{62}, strings.Repeat("b", 62)...), wireName(longName(193)))
	for _, test := range []struct {
		what string
		msg  string // behind prefix
		off  int
		next int // 0: bad
	}{
		{"root", "00", 12, 13},
		{"labels", "0161 0162 00", 12, 17},
		{"pointer", "0161 00 c00c", 15, 17},
		{"label and pointer", "0161 00 0162 c00c ffff", 15, 19},
		{"pointer to a root", "0161 00 c00e", 15, 17},
		{"pointer into a name", "0161 0162 00 c00e", 17, 19},
		{"pointer to a pointer", "00 c00c c00d", 15, 17},
		{"63 octets", "3f" + strings.Repeat("61", 63) + "00", 12, 77},
		{"255 octets", long, 12, 12 + 255},
		{"255 octets by pointer", long + "c00c", 12 + 255, 12 + 257},
		{"256 octets", tooLong, 12, 0},
		{"256 octets and by pointer", tooLong + "c00c", 12 + 256, 0},
		{"257 octets by pointer", long + "0161 c00c", 12 + 255, 0},
		{"319 octets by pointer", long + "3f" + strings.Repeat("61", 63) + "c00c", 12 + 255, 0},

		{"nothing", "", 12, 0},
		{"far off", "00", 1000, 0},
		{"before the message", "00", -1, 0},
		{"no root", "0161", 12, 0},
		{"cut label", "0361 62", 12, 0},
		{"half a pointer", "00 c0", 13, 0},
		{"half a pointer behind a label", "00 0161 c0", 13, 0},
		{"64 octets", "40" + strings.Repeat("61", 64) + "00", 12, 0},
		{"128 octets", "80" + strings.Repeat("61", 128) + "00", 12, 0},
		{"type 0x40", "4061 00", 12, 0},
		{"type 0x40, as a pointer would be good", "00 400c", 13, 0},
		{"type 0x80, as a pointer would be good", "00 800c", 13, 0},
		{"type 0x80", "8061 00", 12, 0},
		{"pointer to type 0x40", "4161 00 c00c", 15, 0},
		{"pointer to itself", "00 c00d", 13, 0},
		{"pointer to its own label", "00 0161 c00d", 13, 0},
		{"pointer to its own end", "00 0161 c00f", 13, 0},
		{"forward pointer", "c00e 00", 12, 0},
		{"pointer behind the message", "00 c0ff", 13, 0},
		{"two pointers to one another", "c00e c00c", 12, 0},
		{"two pointers to one another, from the other", "c00e c00c", 14, 0},
		{"pointer into the header", "c00b", 12, 0},
		{"pointer to the message's start", "c000", 12, 0},
	} {
		msg, want := octets(prefix+test.msg), test.next != 0
		next, ok := SkipName(msg, test.off)
		if ok != want || ok && next != test.next {
			t.Errorf("%s: %d, %v, want %d", test.what, next, ok, test.next)
		}
		// All else that reads names has to think the same of it.
		if NamesEqual(msg, test.off, msg, test.off) != want {
			t.Errorf("%s: equals itself: %v", test.what, !want)
		}
		text, err := AppendNameText(nil, msg, test.off)
		if (err == nil) != want {
			t.Errorf("%s: text %q, %v", test.what, text, err)
		}
		expanded, ok := AppendExpanded(nil, msg, test.off)
		if ok != want || ok && !bytes.Equal(expanded, wireName(string(text))) {
			t.Errorf("%s: expanded to %x, %v, text %q", test.what, expanded, ok, text)
		}
	}
}

// chain returns n pointers behind a root, each to the one before, and the offset of the last.
func chain(n int) (msg []byte, off int) {
	msg = octets(prefix + "00")
	for off = HeaderLen; n > 0; n-- {
		to := off
		off = len(msg)
		msg = append(msg, 0xC0|byte(to>>8), byte(to))
	}
	return msg, off
}

func TestHops(t *testing.T) {
	for _, test := range []struct {
		hops int
		ok   bool
	}{{1, true}, {126, true}, {127, true}, {128, false}, {8000, false}} {
		msg, off := chain(test.hops)
		if _, ok := SkipName(msg, off); ok != test.ok {
			t.Errorf("SkipName over %d pointers: %v", test.hops, ok)
		}
		if ok := NamesEqual(msg, off, []byte{0}, 0); ok != test.ok {
			t.Errorf("NamesEqual over %d pointers: %v", test.hops, ok)
		}
		if _, err := AppendNameText(nil, msg, off); (err == nil) != test.ok {
			t.Errorf("AppendNameText over %d pointers: %v", test.hops, err)
		}
	}
}

// A name may begin at any offset that a pointer can say, and not beyond.
func TestFarPointer(t *testing.T) {
	msg := make([]byte, 0x4002)
	copy(msg[0x3FFD:], octets("0161 00 ffff"))
	if next, ok := SkipName(msg, 0x3FFD); !ok || next != 0x4000 {
		t.Errorf("%#x, %v", next, ok)
	}
	copy(msg[0x4000:], octets("fffd"))
	if !NamesEqual(msg, 0x4000, octets("0141 00"), 0) {
		t.Error("pointer fffd does not lead to 0x3ffd")
	}
	if name, ok := AppendExpanded(nil, msg, 0x4000); !ok || string(name) != "\x01a\x00" {
		t.Errorf("pointer fffd expands to %x, %v", name, ok)
	}
}

func TestNamesEqual(t *testing.T) {
	msg := octets(prefix + "03777777 076578616d706c65 03636f6d 00  c010  03575757 c010  00  03777777 c018")
	const www, pointer, upper, root, short = 12, 29, 31, 37, 38
	for _, test := range []struct {
		what string
		a, b int
		want bool
	}{
		{"itself", www, www, true},
		{"pointer and the part it points to", pointer, 16, true},
		{"name and its parent", www, pointer, false},
		{"case", www, upper, true},
		{"root and root", root, 28, true},
		{"root and not", root, www, false},
		{"suffix left out", www, short, false},
		{"offset behind the message", len(msg), www, false},
	} {
		if got := NamesEqual(msg, test.a, msg, test.b); got != test.want {
			t.Errorf("%s: %v", test.what, got)
		}
		if got := NamesEqual(msg, test.b, msg, test.a); got != test.want {
			t.Errorf("%s, the other way: %v", test.what, got)
		}
	}
}

// Only A to Z fold: not what differs from another octet by 0x20 alone, nor anything above 0x7f.
func TestNamesEqualFolds(t *testing.T) {
	for a := range 256 {
		for b := range 256 {
			one, other := []byte{1, byte(a), 0}, []byte{1, byte(b), 0}
			want := a == b || 'A' <= a && a <= 'Z' && b == a+32 || 'A' <= b && b <= 'Z' && a == b+32
			if got := NamesEqual(one, 0, other, 0); got != want {
				t.Errorf("labels %#x and %#x: equal is %v", a, b, got)
			}
		}
	}
}

// A label must not be mistaken for two with the same octets.
func TestNamesEqualLabels(t *testing.T) {
	if NamesEqual(wireName(`a\001b`), 0, wireName("a.b"), 0) {
		t.Error(`a\001b equals a.b`)
	}
}
