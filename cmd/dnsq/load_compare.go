package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/load/compare"
	"github.com/dnsq/dnsq/internal/load/result"
)

// What a comparison comes to where it is not good news. The report on the standard output says more.
var (
	errWorse     = errors.New("the comparison came out worse")
	errUndecided = errors.New("the comparison is undecided")
)

// loadCompareFlags are those of "load compare".
type loadCompareFlags struct {
	options compare.Options
	level   float64
	metric  string
	json    string // a file
}

// loadCompareCommand compares runs that were recorded.
func loadCompareCommand(e *environment) *cobra.Command {
	f := &loadCompareFlags{}
	c := &cobra.Command{
		Use: "compare [flags] A.json… -- B.json…", Short: "tell whether recorded runs differ: better, worse, the same or undecided", Long: loadCompareHelp,
		DisableFlagsInUseLine: true,
		RunE:                  func(c *cobra.Command, args []string) error { return f.run(e, args, c.ArgsLenAtDash()) },
	}
	l := c.Flags()
	l.SortFlags = false
	l.Float64Var(&f.options.Within, "within", compare.DefaultWithin, "`percent` of a shift that do not matter")
	l.Float64Var(&f.options.Points, "within-points", compare.DefaultPoints, "the same for parts of the whole, such as what was lost, in `points` (hundredths of it)")
	l.Float64Var(&f.level, "confidence", float64(compare.DefaultLevel), "`percent` of confidence: "+levels())
	l.StringVar(&f.metric, "metric", "", "`names` of the metrics that decide, separated by commas; qps,p99 of closed plans, p99,loss of open ones")
	l.BoolVar(&f.options.Invalid, "invalid", false, "have runs count whose verdict is invalid")
	l.BoolVar(&f.options.Anyway, "anyway", false, "compare runs of different plans, with a warning")
	l.Uint64Var(&f.options.Seed, "seed", 0, "`number` that the resampling of one run of each follows from")
	l.StringVar(&f.json, "json", "", "write the report to `file`")
	return c
}

const loadCompareHelp = `Compare recorded runs ("dnsq load --json"), those of A before the -- with those of B behind it, and say what B is, seen from A. Flags come first.

A run is one observation, however many queries it had. Rates are compared by Welch's t test, latencies by ranks (Mann and Whitney, with the shift of Hodges and
Lehmann); each has its shift with an interval. A metric is the same if all of its interval is within ±--within, better or worse if zero is outside the
interval and the shift is more than that, else undecided, and then it is said how many more runs would probably do. Ten runs a side, A and B in turn
(A B B A), are a good start; one of each tells nothing of the next, and its seconds are shown instead.

Runs that are invalid are left out. Runs of different plans (mode, transport, rate, arrival, outstanding, queries) are refused.

Exit status: 0 B is the same as A or better; 1 an argument is wrong, a file is no run, or the runs cannot be compared; 3 B is worse; 5 undecided; 10
something else failed.`

func levels() string {
	var names []string
	for _, l := range stat.Levels() {
		names = append(names, l.String())
	}
	return strings.Join(names, ", ")
}

// run compares the files before args[dash] with those from there on.
func (f *loadCompareFlags) run(e *environment, args []string, dash int) error {
	if err := f.check(args, dash); err != nil {
		return err
	}
	f.options.Names = [...][]string{args[:dash], args[dash:]}
	var sides [2][]*result.Result
	for i, names := range f.options.Names {
		var err error
		if sides[i], err = readResults(names); err != nil {
			return err
		}
	}
	report, err := compare.Runs(sides[0], sides[1], f.options)
	var refused *compare.IncomparableError
	switch {
	case errors.As(err, &refused):
		return usagef("%v; --anyway compares them all the same", err)
	case err != nil:
		return usageError{err}
	}
	if err := f.write(report); err != nil {
		return err
	}
	return showComparison(e, report)
}

// check finds what is wrong with the arguments themselves. What the options of a comparison may be is for compare.Runs to say.
func (f *loadCompareFlags) check(args []string, dash int) error {
	switch {
	case dash < 0:
		return usagef("load compare: write -- between the files of A and those of B")
	case dash == 0 || dash == len(args):
		return usagef("load compare: write files on both sides of the --")
	case !(f.options.Within > 0):
		return usagef("--within %v: write a number above 0", f.options.Within)
	case !(f.options.Points > 0):
		return usagef("--within-points %v: write a number above 0", f.options.Points)
	case f.level == 0:
		return usagef("--confidence 0: there are %s", levels())
	}
	for _, name := range args[dash:] {
		if strings.HasPrefix(name, "--") {
			return usagef("load compare: %s is taken for a file of B: write flags before the --", name)
		}
	}
	f.options.Level = stat.Level(f.level)
	if f.metric != "" {
		f.options.Deciding = strings.Split(f.metric, ",")
	}
	return nil
}

// write writes the report to the file that --json names, but not over a run: that is where the next word goes if --json is taken for a switch.
func (f *loadCompareFlags) write(report *compare.Report) error {
	if f.json == "" {
		return nil
	}
	if _, err := result.ReadFile(f.json); err == nil {
		return usagef("--json %s: that file is a run; write the name of one for the report", f.json)
	}
	text, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(f.json, append(text, '\n'), 0o666)
}

// showComparison prints a report; the error is what it comes to.
func showComparison(e *environment, report *compare.Report) error {
	if _, err := fmt.Fprint(e.stdout, report.Text()); err != nil {
		return err
	}
	switch report.Verdict {
	case compare.Worse:
		return errWorse
	case compare.Undecided:
		return errUndecided
	}
	return nil
}
