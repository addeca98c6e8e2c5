package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/vectors"
)

const largest = 65535

// fill returns the largest message that begins with head and goes on with part over and over, counted in the two octets at count.
func fill(head, part string, count int) []byte {
	msg, one := octets(head), octets(part)
	n := (largest - len(msg)) / len(one)
	msg = append(msg, bytes.Repeat(one, n)...)
	n += int(binary.BigEndian.Uint16(msg[count:]))
	binary.BigEndian.PutUint16(msg[count:], uint16(n))
	return msg
}

// worst returns messages made to be dear.
func worst() map[string][]byte {
	const atQD, atAN = 4, 6
	const nothing = "ff98 0001 00000000 0000" // an unknown type without data
	labels := strings.Repeat("0161", 127) + "00"
	question := "1234 8180 0001 0000 0000 0000" + labels + "0001 0001"

	// One record with 126 pointers for data, each to the one before, the first to the owner, the root.
	pointers := "1234 8180 0000 0001 0000 0000 00 ff98 0001 00000000 00fc c00c"
	for to := 23; to < 23+2*125; to += 2 {
		pointers += fmt.Sprintf("%04x", 0xC000|to)
	}
	last := fmt.Sprintf("%04x", 0xC000|23+2*125)

	return map[string][]byte{
		"owners of 127 labels":       fill(question, "c00c"+nothing, atAN),
		"owners of 126 labels":       fill(question, "c00e"+nothing, atAN),
		"names of 126 labels":        fill(question, "c00e 000e 0001 00000000 0004 c00e c00e", atAN),
		"owners of 127 pointers":     fill(pointers, last+nothing, atAN),
		"names of 127 pointers":      fill(pointers, last+"000e 0001 00000000 0004"+last+last, atAN),
		"owners of 127 labels, long": fill(question, labels+nothing, atAN),
		"questions of 126 labels":    fill(question, "c00e 0001 0001", atQD),
		"empty records":              fill("1234 8180 0000 0000 0000 0000", "00"+nothing, atAN),
		"empty strings":              response(1, 0, 0, record(16, strings.Repeat("00", largest-45))),
		"empty options":              response(0, 0, 1, "00 0029 04d0 00000000 ff98", strings.Repeat("fde90000", 0xFF98/4)),
		"rendezvous servers":         response(1, 0, 0, record(55, "00 02 0000"+strings.Repeat("00", largest-49))),
	}
}

// fastest returns the least time of some runs, no more than it takes to be within limit: what else the machine does only adds.
func fastest(limit time.Duration, f func()) time.Duration {
	least := time.Hour
	for runs := 0; runs < 50 && least > limit; runs++ {
		start := time.Now()
		f()
		least = min(least, time.Since(start))
	}
	return least
}

func TestCheckCost(t *testing.T) {
	const limit = slower * 20 * time.Millisecond
	messages := worst()
	for _, v := range vectors.Load(t) {
		if msg := v.Message(0); len(msg) > 4096 {
			messages[v.ID] = msg
		}
	}
	for what, msg := range messages {
		if len(msg) > largest {
			t.Fatalf("%s: %d octets", what, len(msg))
		}
		_, err := Check(msg)
		took := fastest(limit, func() { Check(msg) })
		t.Logf("%-26s %5d octets %8v %v", what, len(msg), took, err)
		if took > limit {
			t.Errorf("%s: %v, want at most %v", what, took, limit)
		}
		if allocs := testing.AllocsPerRun(1, func() { Check(msg) }); allocs != 0 {
			t.Errorf("%s: %v allocations", what, allocs)
		}
	}
}
