package main

import (
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/resolver"
)

// A labBench measures what a document asks. What it shares with the others, flags, the responder and files, is in labFlags.run.
type labBench struct {
	name, short, long string
	runs              int     // of each side, by default
	seconds           float64 // in all, by default
	flags             func(c *cobra.Command)
	check             func() error // of its own flags; nil: nothing to check
	measure           func(l *lab.Lab) (lab.Result, error)
}

// labBenches is the table of them, in the order of the README's table. Each has its flags' defaults until it is run.
func labBenches(e *environment) []*labBench {
	return []*labBench{
		newBenchWait(e),
		newBenchBusypoll(e),
		newBenchRecv(e),
		newBenchClock(e),
		newBenchBudget(e),
	}
}

// Bounds of what all of them may be asked for.
const (
	maxLabRuns    = 1_000_000
	maxLabSeconds = 3600
)

// labFlags are those that all of them have.
type labFlags struct {
	runs      int
	seconds   float64
	seed      uint64
	server    string
	json, svg string // files
	markdown  bool

	ownRuns, ownSeconds bool // each bench's own
}

func (f *labFlags) check() error {
	switch {
	case f.runs < 1 || f.runs > maxLabRuns:
		return usagef("--runs %d: write a number from 1 to %d", f.runs, maxLabRuns)
	case !(f.seconds > 0 && f.seconds <= maxLabSeconds):
		return usagef("--seconds %v: write a number above 0, at most %d", f.seconds, maxLabSeconds)
	}
	return nil
}

// labCommand makes a subcommand of bench.
func labCommand(e *environment, b *labBench) *cobra.Command {
	f := &labFlags{}
	c := &cobra.Command{
		Use: b.name, Short: b.short, Long: b.long, Args: noWords,
		RunE: func(*cobra.Command, []string) error { return f.run(e, []*labBench{b}) },
	}
	f.add(c)
	c.Flags().IntVar(&f.runs, "runs", b.runs, "runs of each side of a comparison")
	c.Flags().Float64Var(&f.seconds, "seconds", b.seconds, "about what all runs take together")
	if b.flags != nil {
		b.flags(c)
	}
	return c
}

// benchAllCommand runs all of them, each with its defaults where nothing else is asked for.
func benchAllCommand(e *environment, all []*labBench) *cobra.Command {
	f := &labFlags{}
	c := &cobra.Command{
		Use: "all", Short: "every bench of a document, with its defaults", Args: noWords,
		RunE: func(c *cobra.Command, _ []string) error {
			f.ownRuns, f.ownSeconds = !c.Flags().Changed("runs"), !c.Flags().Changed("seconds")
			return f.run(e, all)
		},
	}
	f.add(c)
	c.Flags().IntVar(&f.runs, "runs", 0, "runs of each side of a comparison; by default each bench's own `number`")
	c.Flags().Float64Var(&f.seconds, "seconds", 0, "about what the runs of each bench take together; by default each bench's own `number`")
	return c
}

// add defines those whose defaults are the same everywhere.
func (f *labFlags) add(c *cobra.Command) {
	l := c.Flags()
	l.Uint64Var(&f.seed, "seed", 1, "`number` that the order of runs, and all else that is drawn, follows from")
	l.StringVarP(&f.server, "server", "s", "", "`server` to ask; by default the built-in one, in another process on another processor")
	l.StringVar(&f.json, "json", "", "write the figures to `file` too")
	l.StringVar(&f.svg, "svg", "", "draw the distributions to `file`")
	l.BoolVar(&f.markdown, "markdown", false, "print the lines of the README's table instead")
}

// run runs benches and writes what they give.
func (f *labFlags) run(e *environment, benches []*labBench) error {
	var reports []*lab.Report
	out, err := f.open() // before anything is measured in vain
	if err != nil {
		return err
	}
	defer out.close()
	for _, b := range benches {
		one := *f
		if f.ownRuns {
			one.runs = b.runs
		}
		if f.ownSeconds {
			one.seconds = b.seconds
		}
		r, err := one.report(e, b)
		if err != nil {
			return err
		}
		reports = append(reports, r)
		if !f.markdown {
			if _, err := fmt.Fprint(e.stdout, labText(r)); err != nil {
				return err
			}
		}
	}
	if f.markdown {
		if _, err := fmt.Fprint(e.stdout, lab.Markdown(reports)); err != nil {
			return err
		}
	}
	return out.write(reports)
}

// report runs one.
func (f *labFlags) report(e *environment, b *labBench) (*lab.Report, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	if b.check != nil {
		if err := b.check(); err != nil {
			return nil, err
		}
	}
	o := lab.Options{Runs: f.runs, Seconds: f.seconds, Seed: f.seed}
	if name := strings.TrimPrefix(f.server, "@"); name != "" && name != "self" {
		server, err := (&session{environment: e}).server(name, resolver.DefaultPort)
		if err != nil {
			return nil, err
		}
		o.Server = server.Addr
	}
	l := lab.New(o, e.program)
	defer l.Close()
	began := time.Now()
	r, err := b.measure(l)
	if err != nil {
		return nil, err
	}
	return l.Report("bench "+b.name, thisMachine(), began, r), nil
}

// labText is what is printed of a report.
func labText(r *lab.Report) string {
	text := r.Results.Text()
	for _, n := range r.Notes {
		text += "note: " + printable(n) + "\n"
	}
	return text
}

func thisMachine() lab.Machine {
	return lab.Machine{
		Kernel: kernel(), System: runtime.GOOS + "/" + runtime.GOARCH, CPUs: runtime.NumCPU(), ClockSource: clockSource(),
		Go: runtime.Version(), Version: version(),
	}
}
