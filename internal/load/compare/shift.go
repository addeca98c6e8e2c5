package compare

import (
	"fmt"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

// welch compares the means.
func (m *Metric) welch(l stat.Level) error {
	a, b := m.Samples[0], m.Samples[1]
	m.Centers, m.Shift = [...]float64{a.Mean, b.Mean}, b.Mean-a.Mean
	if a.N < 2 || b.N < 2 {
		return nil // unbounded
	}
	d, err := stat.Welch(a, b, l)
	m.Bounded, m.Low, m.High, m.half, m.P = true, d.Delta-d.Interval, d.Delta+d.Interval, d.Interval, d.P
	return err
}

// ranks compares by ranks.
func (m *Metric) ranks(values [2][]float64, l stat.Level) error {
	s, err := stat.Ranks(values[0], values[1], l)
	if err != nil {
		return err
	}
	m.Centers = [...]float64{m.Samples[0].Median, m.Samples[1].Median}
	m.Shift, m.Bounded, m.Low, m.High, m.P = s.Shift, s.Bounded, s.Low, s.High, s.P
	steady, err := stat.Ranks(values[0], values[1], steadyLevel)
	m.half = halfWidth(steady, l)
	return err
}

// relate has the shift in percent of A's center.
func (m *Metric) relate() error {
	base := m.Centers[0]
	if !(base > 0) {
		return fmt.Errorf("there are no percentages of %v, which A has", base)
	}
	for _, v := range []*float64{&m.Shift, &m.Low, &m.High, &m.half} {
		*v *= 100 / base
	}
	return nil
}
