package queries

import (
	"github.com/dnsq/dnsq/internal/wire"
)

const (
	// letters are those of random labels: good in host names, and five bits each.
	letters = "abcdefghijklmnopqrstuvwxyz234567"
	// uniqueLen letters hold 64 bits.
	uniqueLen = 13
	// lettersPerNumber is how many letters a random number is good for.
	lettersPerNumber = 12
)

// putLabel fills dst, of at most uniqueLen octets, with x in letters.
func putLabel(dst []byte, x uint64) {
	for i := range dst {
		dst[i] = letters[x&31]
		x >>= 5
	}
}

// putRandom fills dst with random letters.
func (s stream) putRandom(dst []byte) {
	for len(dst) > lettersPerNumber {
		putLabel(dst[:lettersPerNumber], s.pcg.Uint64())
		dst = dst[lettersPerNumber:]
	}
	putLabel(dst, s.pcg.Uint64())
}

// A counter gives numbers that no other part of the set ever gives, without order.
type counter struct{ next, step, start uint64 }

func newCounter(i, n int, seed uint64) counter {
	return counter{uint64(i), uint64(n), derive(seed, 0)}
}

func (c *counter) number() uint64 {
	x := mix(c.next + c.start)
	c.next += c.step
	return x
}

// plain reports whether the question's name may change: of a query with one question and nothing else but an OPT record, to which no pointer and no
// signature of the rest can refer. end is behind the name.
func plain(msg []byte) (end int, ok bool) {
	h, _ := wire.PeekHeader(msg)
	end, ok = wire.QuestionEnd(msg)
	if !ok || h.Opcode() != 0 || h.QD != 1 || h.AN != 0 || h.NS != 0 || h.AR > 1 {
		return 0, false
	}
	if h.AR == 1 && !isOPT(msg[end:]) {
		return 0, false
	}
	return end - 4, true
}

func isOPT(record []byte) bool {
	return len(record) >= 11 && record[0] == 0 && record[1] == 0 && record[2] == typeOPT
}

// appendPrefixed appends msg to dst with room for a label of uniqueLen octets in front of its name, which ends at end, and returns that room. Of a name
// that has no room for it, the first labels are left out.
func appendPrefixed(dst, msg []byte, end int) (out, label []byte) {
	name := wire.HeaderLen
	for end-name+uniqueLen+1 > wire.MaxName {
		name += int(msg[name]) + 1
	}
	out = append(append(dst, msg[:wire.HeaderLen]...), uniqueLen)
	from := len(out)
	out = append(append(out, letters[:uniqueLen]...), msg[name:]...)
	return out, out[from : from+uniqueLen]
}
