package wire

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestAppendName(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{".", "00"},
		{"com", "03636f6d 00"},
		{"com.", "03636f6d 00"},
		{"www.Example.com", "03777777 074578616d706c65 03636f6d 00"},
		{`a\.b.c`, "03612e62 0163 00"},
		{`a\.`, "02612e 00"}, // CVE-2016-5180
		{`a\\.`, "02615c 00"},
		{`\097\b`, "026162 00"},
		{`\000.\255`, "0100 01ff 00"},
		{"a\x00\xff b", "056100ff2062 00"},
		{`\"\ \@`, "0322 20 40 00"},
		{"é", "02c3a9 00"},
	} {
		got, err := AppendName(nil, test.name)
		if want := octets(test.want); err != nil || !bytes.Equal(got, want) {
			t.Errorf("AppendName(%q) = %x, %v, want %x", test.name, got, err, want)
		}
	}
}

func TestAppendNameLimits(t *testing.T) {
	label63 := strings.Repeat("a", 63)
	for _, name := range []string{label63, label63 + ".", strings.Repeat(`\097`, 63), longName(255), longName(255) + "."} {
		if _, err := AppendName(nil, name); err != nil {
			t.Error(err)
		}
	}
	if got := len(wireName(strings.Repeat("a.", 127))); got != 255 {
		t.Errorf("127 labels: %d octets", got)
	}
}

func TestAppendNameErrors(t *testing.T) {
	const (
		empty = "empty"
		label = "a label is empty"
		back  = "backslash"
	)
	for _, test := range []struct{ name, reason string }{
		{"", empty},
		{"..", label},
		{".com", label},
		{"a..com", label},
		{"a..", label},
		{strings.Repeat("a", 64), "63"},
		{"b." + strings.Repeat("a", 64) + ".", "63"},
		{longName(254) + ".b", "255"},
		{strings.Repeat("a.", 128), "255"},
		{`\`, back},
		{`www.example.com\`, back},
		{`\1`, back},
		{`\12`, back},
		{`\12a`, back},
		{`\1.2`, back},
		{`\256.`, back},
		{`\999`, back},
	} {
		dst := []byte("before")
		got, err := AppendName(dst, test.name)
		var nameErr *NameError
		switch {
		case !errors.As(err, &nameErr):
			t.Errorf("AppendName(%q): error %v", test.name, err)
		case nameErr.Name != test.name || !strings.Contains(err.Error(), test.reason):
			t.Errorf("AppendName(%q): %v, want %q in it", test.name, err, test.reason)
		case string(got) != "before":
			t.Errorf("AppendName(%q) returned %q with its error", test.name, got)
		}
	}
}

// What an error shows must be safe to print, whatever was asked for.
func TestNameErrorText(t *testing.T) {
	_, err := AppendName(nil, "a\x1b[31m\n..")
	if text := err.Error(); strings.ContainsAny(text, "\x1b\n") {
		t.Errorf("%q", text)
	}
}

func TestAppendNameText(t *testing.T) {
	for _, test := range []struct{ wire, want string }{
		{"00", "."},
		{"03777777 00", "www."},
		{"0141 0162 00", "A.b."},
		{"08611b5b33316d0762 00", `a\027[31m\007b.`},
		{"06612e620a3b63 00", `a\.b\010\;c.`},
		{"0820225c2829403b24 00", `\032\"\\\(\)\@\;\$.`},
		{"04007f80ff 00", `\000\127\128\255.`},
		{"042d5f2a27 00", `-_*'.`},
	} {
		got, err := AppendNameText([]byte("> "), octets(test.wire), 0)
		if err != nil || string(got) != "> "+test.want {
			t.Errorf("%s: %q, %v, want %q", test.wire, got, err, test.want)
		}
	}
}

func TestAppendNameTextErrors(t *testing.T) {
	for _, wire := range []string{"", "0161", "40 00", "c000"} {
		if got, err := AppendNameText([]byte(">"), octets(wire), 0); err != ErrName || string(got) != ">" {
			t.Errorf("%q: %q, %v", wire, got, err)
		}
	}
}

// Every octet survives the way into text and back, at any place of a label.
func TestNameTextRoundTrip(t *testing.T) {
	for c := range 256 {
		wire := []byte{3, byte(c), 'x', byte(c), 1, byte(c), 0}
		text, err := AppendNameText(nil, wire, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range text {
			if b < '!' || b > '~' {
				t.Errorf("octet %#x: raw %#x in %q", c, b, text)
			}
		}
		if got, err := AppendName(nil, string(text)); err != nil || !bytes.Equal(got, wire) {
			t.Errorf("%x → %q → %x, %v", wire, text, got, err)
		}
	}
}
