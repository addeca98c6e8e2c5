// Package golden compares what tests get with files that hold what is right, and rewrites these where it is told to.
package golden

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Compare fails tb where got is not what the file at path holds. With update the file holds it from then on.
func Compare(tb testing.TB, path, got string, update bool) {
	tb.Helper()
	if update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
