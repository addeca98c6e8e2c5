package result

import "testing"

// A bound is in the bucket that it begins, and what is a nanosecond less is not.
func TestHeatBound(t *testing.T) {
	for i := range HeatBuckets {
		ns := int64(HeatBound(i))
		if got := heatBucket(ns); got != i {
			t.Errorf("%d ns, where bucket %d begins, is in %d", ns, i, got)
		}
		if got := heatBucket(ns - 1); got != max(i-1, 0) {
			t.Errorf("%d ns, before bucket %d begins, is in %d", ns-1, i, got)
		}
	}
}
