package ioevent_test

import (
	"testing"

	"github.com/dnsq/dnsq/ioevent"
)

func TestHistogram(t *testing.T) {
	for n, bucket := range map[int]int{0: 0, 1: 1, 2: 2, 3: 2, 4: 3, 64: 7, 16383: 14, 16384: 15, 1 << 30: 15} {
		var h ioevent.Histogram
		h.Add(n)
		if h[bucket] != 1 {
			t.Errorf("%d counted as %v, want bucket %d", n, h, bucket)
		}
	}
}
