package resolver

import (
	"encoding/binary"
	"fmt"
	"io"
)

// idSource draws 16-bit numbers from a random source, a block at a time.
type idSource struct {
	from io.Reader
	buf  [512]byte
	left int
}

// next returns a random number. An error is the source's: nothing guessable takes its place.
func (s *idSource) next() (uint16, error) {
	if s.left == 0 {
		if _, err := io.ReadFull(s.from, s.buf[:]); err != nil {
			return 0, fmt.Errorf("no random numbers for message IDs: %w", err)
		}
		s.left = len(s.buf)
	}
	s.left -= 2
	return binary.NativeEndian.Uint16(s.buf[s.left:]), nil
}

// below returns a random number in [0, n).
func (s *idSource) below(n int) (int, error) {
	r, err := s.next()
	return int(r) * n >> 16, err
}

// free returns a random ID that is not in t, whose length is at most maxIDs.
func (s *idSource) free(t *idTable) (uint16, error) {
	id, err := s.next()
	for range 64 {
		if err != nil || t.find(id) == 0 {
			return id, err
		}
		id, err = s.next()
	}
	// Sixty-four draws fail once in 10^8 times at the limit, always with a stuck source.
	for t.find(id) != 0 {
		id++
	}
	return id, err
}
