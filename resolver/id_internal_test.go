package resolver

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"math"
	"testing"
	"testing/iotest"
)

// TestIDsAreUniform: chi-square over 256 cells of a million IDs, and of the differences between successive ones, at p = 0.001
// (CVE-2019-19794, CVE-2022-30295: IDs from a weak source).
func TestIDsAreUniform(t *testing.T) {
	const n, cells = 1_000_000, 256
	s := idSource{from: rand.Reader}
	var high, low, step [cells]float64
	last := uint16(0)
	for range n {
		id, err := s.next()
		if err != nil {
			t.Fatal(err)
		}
		high[id>>8]++
		low[id&255]++
		step[(id-last)>>8]++
		last = id
	}
	// The 0.1 % point of chi-square with 255 degrees of freedom is 330.5; three tests a run, so allow one in 10^5.
	const limit = 350
	for name, counts := range map[string]*[cells]float64{"high octet": &high, "low octet": &low, "difference": &step} {
		sum, want := 0.0, float64(n)/cells
		for _, c := range counts {
			sum += (c - want) * (c - want) / want
		}
		if sum > limit || math.IsNaN(sum) {
			t.Errorf("chi-square of the %s is %.1f, want less than %d", name, sum, limit)
		}
	}
}

// TestIDsCoverAllValues: none of the 65,536 is left out.
func TestIDsCoverAllValues(t *testing.T) {
	s := idSource{from: rand.Reader}
	var seen [65536]bool
	left := len(seen)
	for range 3_000_000 {
		if id, _ := s.next(); !seen[id] {
			seen[id] = true
			left--
		}
	}
	if left > 0 {
		t.Errorf("%d IDs never came in 3,000,000 draws", left)
	}
}

// TestIDsFailClosed: without random numbers there is no ID.
func TestIDsFailClosed(t *testing.T) {
	broken := errors.New("no entropy")
	for name, from := range map[string]io.Reader{"error": iotest.ErrReader(broken), "short": bytes.NewReader(make([]byte, 100))} {
		s := idSource{from: from}
		if id, err := s.next(); err == nil {
			t.Errorf("%s: got ID %d and no error", name, id)
		}
	}
}

// TestIDsDifferOnOneSocket: a source that repeats itself gives no ID twice (glibc BZ#26600).
func TestIDsDifferOnOneSocket(t *testing.T) {
	s := idSource{from: iotest.OneByteReader(zeroes{})}
	table := idTable{slab: new(slab)}
	for range 300 {
		id, err := s.free(&table)
		if err != nil || table.get(id) != nil {
			t.Fatalf("free = %d, %v; in use: %v", id, err, table.get(id) != nil)
		}
		table.put(id, table.slab.take())
	}
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }
