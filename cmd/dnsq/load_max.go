package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/result"
)

// search looks for the highest rate at which --slo holds.
func (f *loadFlags) search(ctx context.Context, s *session, p *load.Plan) error {
	slo, err := load.ParseSLO(f.slo)
	if err != nil {
		return usagef("--slo: %v", err)
	}
	out, err := f.openOutput(s.environment)
	if err != nil {
		return err
	}
	defer out.close()
	fmt.Fprintf(s.stdout, "looking for the highest rate at which %s holds, in runs of %v\n", slo, p.Duration)
	max, err := load.FindMax(ctx, load.Search{
		SLO: slo,
		Trial: func(ctx context.Context, rate float64) (*result.Result, error) {
			trial := *p
			trial.Rate = load.At(rate)
			return load.Run(ctx, &trial)
		},
		OnTrial: func(t load.Trial) { printTrial(s.environment, t) },
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	if last := lastPassed(max); last != nil {
		if err := out.finish(last); err != nil {
			return err
		}
	}
	return printMax(s.environment, max, slo)
}

func printTrial(e *environment, t load.Trial) {
	verdict := "holds"
	switch {
	case t.Client:
		verdict = "cannot tell: this machine is the limit"
	case !t.Passed:
		verdict = "does not hold"
		if len(t.Misses) > 0 {
			verdict += ": " + t.Misses[0]
		}
	}
	fmt.Fprintf(e.stdout, "%10.0f/s  %s\n", t.Rate, verdict)
}

// lastPassed is the result of the highest rate that passed.
func lastPassed(m *load.Max) (r *result.Result) {
	best := 0.0
	for _, t := range m.Trials {
		if t.Passed && t.Rate >= best {
			best, r = t.Rate, t.Result
		}
	}
	return r
}

// printMax says what a search found.
func printMax(e *environment, m *load.Max, slo load.SLO) error {
	switch {
	case m.Low == 0:
		fmt.Fprintf(e.stdout, "\n%s holds at no rate that was tried: %s\n", slo, m.Reason)
		if m.Client {
			return errInvalid
		}
		return fmt.Errorf("%w: %s", errMissed, slo)
	case m.High == 0:
		fmt.Fprintf(e.stdout, "\n%s holds at %.0f queries a second, the highest rate tried: %s\n", slo, m.Low, m.Reason)
	default:
		fmt.Fprintf(e.stdout, "\n%s holds at %.0f queries a second and does not at %.0f, %.1f %% above: %s\n",
			slo, m.Low, m.High, 100*(m.High-m.Low)/m.High, m.Reason)
	}
	if m.Client {
		return errInvalid
	}
	return nil
}

// ceilingLength is how long calibrating takes.
const ceilingLength = 2 * time.Second

// ceiling finds what this machine can do with the plan's shape, against the responder inside.
func (f *loadFlags) ceiling(ctx context.Context, s *session, p *load.Plan) (load.Ceiling, error) {
	addr, err := s.startOther()
	if err != nil {
		return load.Ceiling{}, err
	}
	plan := *p
	plan.Duration = ceilingLength
	c, err := load.Calibrate(ctx, &plan, addr)
	if err == nil {
		fmt.Fprintf(s.stdout, "[Status] This machine's ceiling: %.0f queries a second, against its own responder\n", c.QPS)
	}
	return c, err
}
