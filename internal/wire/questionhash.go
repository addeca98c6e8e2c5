package wire

import (
	"encoding/binary"
	"math/bits"
)

// QuestionHash returns a number that the first question of msg shares with those equal to it, as SameQuestion has it, and with another only by chance. It
// is made for speed, not to withstand anybody. It is ok only if there is a question and its name is not compressed.
func QuestionHash(msg []byte) (hash uint32, ok bool) {
	if len(msg) < HeaderLen || binary.BigEndian.Uint16(msg[4:]) == 0 {
		return 0, false
	}
	end := HeaderLen
	for end < len(msg) && msg[end] != 0 {
		if msg[end] > maxLabel {
			return 0, false
		}
		end += 1 + int(msg[end])
	}
	end++
	if end+4 > len(msg) || end > HeaderLen+maxName {
		return 0, false
	}
	// Names are folded eight octets at a time by the bit that tells the cases apart. That makes a few other octets one, which a hash may.
	const fold = 0x2020202020202020
	h, at := uint64(binary.BigEndian.Uint32(msg[end:])), HeaderLen
	for ; at+8 <= end; at += 8 {
		h = mix(h ^ (binary.LittleEndian.Uint64(msg[at:]) | fold))
	}
	// The rest is read with what stands before it: the header is longer than what may be missing.
	rest := binary.LittleEndian.Uint64(msg[end-8:]) >> (64 - 8*(end-at)) // 0 where there is none
	h = mix(h ^ (rest | fold))
	return uint32(h ^ h>>32), true
}

// mix spreads every bit of x over all of the result.
func mix(x uint64) uint64 {
	high, low := bits.Mul64(x^0x9e3779b97f4a7c15, 0xa0761d6478bd642f)
	return high ^ low
}
