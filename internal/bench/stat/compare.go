package stat

import (
	"fmt"
	"strings"
)

// A Comparison is all there is to say about two samples.
type Comparison struct {
	Names   [2]string  `json:"names"`
	Samples [2]Summary `json:"samples"`
	Student Difference `json:"student"`
	Ranks   Shift      `json:"ranks"`
}

// Compare compares second with first, which percentages are of.
func Compare(first, second Sample, l Level) (c Comparison, err error) {
	c.Names = [...]string{first.Name, second.Name}
	c.Samples = [...]Summary{Summarize(first.Values), Summarize(second.Values)}
	if c.Student, err = Student(c.Samples[0], c.Samples[1], l); err != nil {
		return c, err
	}
	c.Ranks, err = Ranks(first.Values, second.Values, l)
	return c, err
}

// Text is the comparison as ministat prints one, with what the ranks say below.
func (c Comparison) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "x %s\n+ %s\n", c.Names[0], c.Names[1])
	b.WriteString("    N           Min           Max        Median           Avg        Stddev\n")
	for i, s := range c.Samples {
		fmt.Fprintf(&b, "%c %3d %13.8g %13.8g %13.8g %13.8g %13.8g\n", "x+"[i], s.N, s.Min, s.Max, s.Median, s.Mean, s.Stddev)
	}
	return b.String() + c.Student.Text() + c.Ranks.Text()
}

// Text is the verdict as ministat prints it, and what it keeps to itself where there is none.
func (d Difference) Text() string {
	if !d.Proven() {
		return fmt.Sprintf("No difference proven at %.1f%% confidence\n\t(%.6g +/- %.6g)\n", float64(d.Level), d.Delta, d.Interval)
	}
	return fmt.Sprintf("Difference at %.1f%% confidence\n\t%.6g +/- %.6g\n\t%.6g%% +/- %.6g%%\n\t(Student's t, pooled s = %.6g)\n",
		float64(d.Level), d.Delta, d.Interval, d.Percent, d.PercentInterval, d.Pooled)
}

// Text is the verdict of the ranks.
func (s Shift) Text() string {
	verdict := "No shift proven"
	if s.Proven() {
		verdict = "Shift"
	}
	interval := "too few runs for an interval"
	if s.Bounded {
		interval = fmt.Sprintf("%.6g to %.6g", s.Low, s.High)
	}
	return fmt.Sprintf("%s at %.1f%% confidence, no distribution assumed\n\t%.6g (%s)\n\t(Mann-Whitney U = %g, p = %.4g; Hodges-Lehmann)\n",
		verdict, float64(s.Level), s.Shift, interval, s.U, s.P)
}
