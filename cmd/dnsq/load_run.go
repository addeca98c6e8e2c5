package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/result"
)

// What a run ends with, besides dnsq's own exit codes.
var (
	errInvalid = errors.New("the result is invalid")
	errMissed  = errors.New("a bound is not kept to")
)

func (f *loadFlags) run(e *environment, c *cobra.Command) error {
	if err := f.check(c); err != nil {
		return err
	}
	bounds, err := f.bounds()
	if err != nil {
		return err
	}
	s := &session{environment: e}
	defer s.close()
	servers, err := f.targets(s, f.servers)
	if err != nil {
		return err
	}
	p, err := f.plan(e, servers)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	switch {
	case f.findMax:
		return f.search(ctx, s, p)
	case f.ab != "":
		return f.alternate(ctx, s, p)
	}
	return f.once(ctx, s, p, bounds)
}

// check refuses flags that do not go together.
func (f *loadFlags) check(c *cobra.Command) error {
	set := c.Flags().Changed
	switch {
	case f.findMax && f.ab != "":
		return usagef("--find-max and --ab exclude each other")
	case f.findMax && f.rate != "":
		return usagef("--find-max finds the rate: leave -Q out")
	case set("slo") && !f.findMax:
		return usagef("--slo is for --find-max; to judge one run write --fail-on")
	case f.findMax && f.duration == 0:
		f.duration = seconds(2 * time.Second)
	case f.ab != "" && f.filed():
		return usagef("--ab prints a comparison of many runs: leave out the files, which are of one; load compare reads those of --json")
	case f.ab != "" && f.runs < 1:
		return usagef("--runs %d: write a number above 0", f.runs)
	case f.ab != "" && f.duration == 0 && f.count == 0:
		f.duration = seconds(abLength)
	}
	return nil
}

// filed reports whether a run is to be written to a file or shown to a collector.
func (f *loadFlags) filed() bool {
	return cmp.Or(f.json, f.metrics, f.csv, f.hlog, f.html, f.prom, f.profile) != ""
}

// bounds are those of --fail-on.
func (f *loadFlags) bounds() (slo load.SLO, err error) {
	if f.failOn == "" {
		return slo, nil
	}
	if slo, err = load.ParseSLO(f.failOn); err != nil {
		return slo, usagef("--fail-on: %v", err)
	}
	return slo, nil
}

// once makes one run and reports it.
func (f *loadFlags) once(ctx context.Context, s *session, p *load.Plan, bounds load.SLO) error {
	out, err := f.openOutput(s.environment)
	if err != nil {
		return err
	}
	defer out.close()
	var ceiling load.Ceiling
	if f.calibrate {
		if ceiling, err = f.ceiling(ctx, s, p); err != nil {
			return err
		}
	}
	p.OnTick = out.tick
	if err := out.begin(p); err != nil {
		return err
	}
	r, err := load.Run(ctx, p)
	if err != nil {
		return err
	}
	if f.calibrate {
		ceiling.Mark(r)
	}
	if err := out.finish(r); err != nil {
		return err
	}
	return judge(r, bounds)
}

// judge is how the run ends.
func judge(r *result.Result, bounds load.SLO) error {
	if r.Verdict != result.Valid {
		for _, why := range r.Reasons {
			if why.Code == result.CodeUnreachable {
				return fmt.Errorf("%w: %s", errNoReply, why.Text)
			}
		}
		return errInvalid
	}
	if missed := bounds.Misses(r); len(missed) > 0 {
		return fmt.Errorf("%w: %s", errMissed, missed[0])
	}
	return nil
}
