package stat_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

// The example of ministat's manual page.
func TestText(t *testing.T) {
	iguana := stat.Sample{Name: "iguana", Values: []float64{50, 200, 150, 400, 750, 400, 150}}
	chameleon := stat.Sample{Name: "chameleon", Values: []float64{150, 400, 720, 500, 930}}
	c, err := stat.Compare(iguana, chameleon, 95)
	if err != nil {
		t.Fatal(err)
	}
	want := `x iguana
+ chameleon
    N           Min           Max        Median           Avg        Stddev
x   7            50           750           200           300     238.04761
+   5           150           930           500           540     299.08193
No difference proven at 95.0% confidence
	(240 +/- 344.617)
No shift proven at 95.0% confidence, no distribution assumed
	250 (-50 to 570)
	(Mann-Whitney U = 26, p = 0.1919; Hodges-Lehmann)
`
	if diff := cmp.Diff(want, c.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i := range chameleon.Values {
		chameleon.Values[i] += 1000
	}
	if c, err = stat.Compare(iguana, chameleon, 95); err != nil {
		t.Fatal(err)
	}
	want = `Difference at 95.0% confidence
	1240 +/- 344.617
	413.333% +/- 114.872%
	(Student's t, pooled s = 264.159)
Shift at 95.0% confidence, no distribution assumed
	1250 (950 to 1570)
	(Mann-Whitney U = 35, p = 0.002525; Hodges-Lehmann)
`
	if diff := cmp.Diff(want, c.Student.Text()+c.Ranks.Text()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := json.Marshal(c); err != nil {
		t.Error(err)
	}
}

func TestSummarize(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	got := stat.Summarize(values)
	want := stat.Summary{N: 4, Min: 1, Max: 4, Median: 2.5, Mean: 2.5, Stddev: 1.2909944487358056}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if values[0] != 4 {
		t.Error("the caller's values were sorted")
	}
	if got := stat.Summarize(nil); got != (stat.Summary{}) {
		t.Errorf("of nothing: %+v", got)
	}
}
