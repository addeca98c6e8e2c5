package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/compare"
	"github.com/dnsq/dnsq/internal/load/result"
)

// abLength is that of a run of --ab where none is given.
const abLength = 3 * time.Second

// alternate runs the plan against the servers of -s and against that of --ab in turn, A B B A, so that what drifts reaches both alike, and compares.
func (f *loadFlags) alternate(ctx context.Context, s *session, p *load.Plan) error {
	other, err := f.targets(s, []string{f.ab})
	if err != nil {
		return err
	}
	out := &loadOutput{environment: s.environment, rounds: f.rounds} // that opens nothing
	plans := [2]load.Plan{*p, *p}
	plans[1].Servers = other
	var runs [2][]*result.Result
	for i := range 2 * f.runs {
		side := (i + 1) / 2 % 2
		r, err := load.Run(ctx, &plans[side])
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return errors.New("interrupted before both servers had all their runs: nothing is compared")
		}
		out.describe(r)
		runs[side] = append(runs[side], r)
		fmt.Fprintf(s.stdout, "%c %2d: %10.0f/s, p50 %.0f µs, p99 %.0f µs, lost %d, %s\n", "AB"[side], len(runs[side]), r.QPS, r.Response.P50, r.Response.P99, r.Lost.Total(), r.Verdict)
	}
	report, err := compare.Runs(runs[0], runs[1], compare.Options{Within: f.within, Seed: f.seed})
	if err != nil {
		return err
	}
	return showComparison(s.environment, report)
}
