package compare

import "github.com/dnsq/dnsq/internal/bench/stat"

// Schema names the JSON of a Report and its version. Fields may be added under one version; none changes its meaning or goes.
const Schema = "dnsq-load-compare/1"

// A Verdict is what is known of B, seen from A.
type Verdict string

// The verdicts; the package documentation has when each is given.
const (
	Better    Verdict = "better"
	Worse     Verdict = "worse"
	Same      Verdict = "same"
	Undecided Verdict = "undecided"
)

// What one observation is.
const (
	UnitRun    = "run"
	UnitSecond = "second" // there is one run of each
)

// The tests that a Metric may have been put to.
const (
	TestWelch  = "welch"
	TestRanks  = "ranks"
	TestBlocks = "blocks" // of seconds, resampled
)

// A Report is two groups of runs, compared.
type Report struct {
	Schema   string     `json:"schema"`
	Level    stat.Level `json:"confidence_percent"`
	Within   float64    `json:"within_percent"`
	Points   float64    `json:"within_points"`
	Unit     string     `json:"unit"`           // UnitRun or UnitSecond
	Block    int        `json:"block_seconds"`  // 0 where the unit is the run
	Sides    [2]Side    `json:"sides"`          // A and B
	Plan     string     `json:"plan"`           // of A's first run, in words
	Metrics  []Metric   `json:"metrics"`        // those that all runs have
	Deciding []string   `json:"deciding"`       // the metrics that Verdict is of
	Warnings []string   `json:"warnings"`       // what a reader has to know
	Verdict  Verdict    `json:"verdict"`        // of B, seen from A
	Sentence string     `json:"sentence"`       // the same in words
	More     int        `json:"more_runs_each"` // that would probably decide; 0: none has to, or no number would
}

// A Side is one group of runs.
type Side struct {
	Name     string     `json:"name"` // A or B
	Servers  []string   `json:"servers"`
	Runs     []string   `json:"runs"`     // the names of those compared
	Excluded []Excluded `json:"excluded"` // and of those left out
}

// Excluded is a run that was left out.
type Excluded struct {
	Run string `json:"run"`
	Why string `json:"why"`
}

// A Metric is one quantity of both sides.
type Metric struct {
	Name    string          `json:"name"`
	Unit    string          `json:"unit"`
	Higher  bool            `json:"higher_is_better"`
	Decides bool            `json:"decides"`
	Test    string          `json:"test"`
	Centers [2]float64      `json:"centers"` // that Shift is from and to, about: means (welch), medians (ranks), of these two runs (blocks)
	Samples [2]stat.Summary `json:"samples"` // of A and B, in Unit; of seconds where the test is blocks

	Points  bool    `json:"in_points"` // the shift is in points; else in percent of A's center
	Shift   float64 `json:"shift"`     // of B from A
	Bounded bool    `json:"bounded"`   // there are enough runs for an interval
	Low     float64 `json:"low"`       // of the interval; zero unless Bounded
	High    float64 `json:"high"`
	P       float64 `json:"p"` // that what does not differ comes out so far apart; 1 where no test could be made

	Verdict  Verdict `json:"verdict"`
	More     int     `json:"more_runs_each"`     // as Report.More
	Apparent Verdict `json:"apparent,omitempty"` // what the seconds of one run of each look like

	half float64 // half of what an interval at Level is expected to have with so many runs
}
