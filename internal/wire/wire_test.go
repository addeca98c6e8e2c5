package wire

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
)

// octets decodes hexadecimal text; blanks in it are for the reader.
func octets(text string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		panic(err)
	}
	return b
}

// question asks for the addresses of www.example.com; c00c is the name, c010 example.com, c01c the root.
const question = "03777777 076578616d706c65 03636f6d 00 0001 0001"

// optRecord is one without options, offering 1232 octets.
const optRecord = "00 0029 04d0 00000000 0000"

// response returns a message with one question and these numbers of records, which follow as hexadecimal text.
func response(an, ns, ar int, records ...string) []byte {
	header := fmt.Sprintf("1234 8180 0001 %04x %04x %04x", an, ns, ar)
	return octets(header + question + strings.Join(records, ""))
}

// record returns the text of a record of class IN owned by the question's name.
func record(typ int, data string) string {
	return fmt.Sprintf("c00c %04x 0001 0000003c %04x %s", typ, len(octets(data)), data)
}

// common is the reply that is received most: one address, EDNS.
func common() []byte { return response(1, 0, 1, record(typeA, "c0000201"), optRecord) }

// wireName is AppendName for names that are good.
func wireName(name string) []byte {
	b, err := AppendName(nil, name)
	if err != nil {
		panic(err)
	}
	return b
}

// longName has n octets on the wire, as labels of at most 63.
func longName(n int) string {
	var labels []string
	for n--; n > 0; { // one for the root
		l := min(n-1, maxLabel)
		if n-1-l == 1 { // no room for the last label's length and a letter
			l--
		}
		labels = append(labels, strings.Repeat("a", l))
		n -= l + 1
	}
	return strings.Join(labels, ".")
}

func TestLongName(t *testing.T) {
	for _, n := range []int{3, 64, 65, 66, 67, 130, 254, 255} {
		if got := len(wireName(longName(n))); got != n {
			t.Errorf("longName(%d) has %d octets", n, got)
		}
	}
}
