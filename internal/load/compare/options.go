package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

// Defaults of Options.
const (
	DefaultLevel  = stat.Level(95)
	DefaultWithin = 5.0  // percent
	DefaultPoints = 0.05 // half of the loss that targets commonly allow
)

// Options are how runs are compared. The zero value is the usual way.
type Options struct {
	Level    stat.Level  // two-sided confidence of every interval; 0: DefaultLevel
	Within   float64     // shifts up to so many percent do not matter; 0: DefaultWithin
	Points   float64     // the same for parts of the whole, in points; 0: DefaultPoints
	Deciding []string    // the metrics that decide about the whole; none: those of the plan's mode
	Invalid  bool        // runs with the verdict invalid count too
	Anyway   bool        // what would be refused is a warning
	Seed     uint64      // of the resampling where there is one run of each
	Names    [2][]string // of the runs, such as their files; none: A1, A2, …, B1, …
}

// Metrics are the names that Options.Deciding may have.
func Metrics() (names []string) {
	for _, m := range measures() {
		names = append(names, m.name)
	}
	return names
}

// complete fills in what was not given and names what is wrong.
func (o *Options) complete() error {
	if o.Level == 0 {
		o.Level = DefaultLevel
	}
	if !slices.Contains(stat.Levels(), o.Level) {
		return fmt.Errorf("confidence %v %%: there are %v", o.Level, stat.Levels())
	}
	for _, m := range []struct {
		name  string
		value *float64
		usual float64
	}{{"percent", &o.Within, DefaultWithin}, {"points", &o.Points, DefaultPoints}} {
		if *m.value == 0 {
			*m.value = m.usual
		}
		if !(*m.value > 0) || math.IsInf(*m.value, 0) {
			return fmt.Errorf("within %v %s: it is a number above 0", *m.value, m.name)
		}
	}
	for _, name := range o.Deciding {
		if !slices.Contains(Metrics(), name) {
			return fmt.Errorf("metric %q: there are %s", name, strings.Join(Metrics(), ", "))
		}
	}
	return nil
}

// deciding are the metrics that decide about a plan of mode.
func (o *Options) deciding(mode string) []string {
	switch {
	case len(o.Deciding) > 0:
		return o.Deciding
	case mode == "open":
		return []string{"p99", "loss"} // its rate is the plan's, whatever the server is
	}
	return []string{"qps", "p99"}
}
