package main

import (
	"errors"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/bench/wait"
)

// A callResult is what a wait costs that finds a datagram, by the manner of waiting.
type callResult struct {
	Call        string           `json:"call"`
	KernelReads int              `json:"kernel_clock_reads"` // for a timeout, by Linux' sources: not measured
	Samples     []stat.Sample    `json:"samples"`            // ns, in the order of callManners
	Timeout     *stat.Comparison `json:"timeout,omitempty"`  // with one against bare
}

// callManners are those that a wait without a loop can have.
func callManners() []string { return []string{wait.Bare, wait.Timeout, wait.Timerfd, wait.Polling} }

// measureCalls times each call in each manner, all in alternation.
func (r *waitResult) measureCalls(l *lab.Lab) error {
	var sides []*wait.Ready
	defer func() {
		for _, s := range sides {
			_ = s.Close()
		}
	}()
	manners := callManners()
	for _, call := range wait.Calls() {
		c := callResult{Call: call, KernelReads: wait.Way{Call: call, Manner: wait.Timeout}.KernelReads()}
		for _, manner := range manners {
			s, err := wait.OpenReady(wait.Way{Call: call, Manner: manner})
			if errors.Is(err, errors.ErrUnsupported) {
				l.Note("not measured: %v", err)
				return nil
			}
			if err != nil {
				return err
			}
			sides = append(sides, s)
			c.Samples = append(c.Samples, stat.Sample{Name: call + "/" + manner})
		}
		r.Calls = append(r.Calls, c)
	}
	if err := r.runCalls(l, sides); err != nil {
		return err
	}
	for i := range r.Calls {
		if err := r.Calls[i].compare(); err != nil {
			return err
		}
	}
	return nil
}

// runCalls fills the samples.
func (r *waitResult) runCalls(l *lab.Lab, sides []*wait.Ready) error {
	const guess = 500.0 // ns a wait; more only makes it take longer
	n := max(int(callShare*float64(l.Share(len(sides)*l.Runs))/guess), 100)
	var wall, cpu float64
	err := l.Alternate(len(sides), l.Runs, func(i int) error {
		w := startWatch()
		err := sides[i].Run(n)
		passed, used := w.read()
		wall, cpu = wall+passed.Seconds(), cpu+used.Seconds()
		s := &r.Calls[i/len(callManners())].Samples[i%len(callManners())]
		s.Values = append(s.Values, float64(used)/float64(n))
		return err
	})
	tellShared(l, wall, cpu)
	return err
}

// compare needs two runs of each manner.
func (c *callResult) compare() error {
	if len(c.Samples[0].Values) < 2 {
		return nil
	}
	d, err := stat.Compare(c.Samples[0], c.Samples[1], stat.DefaultLevel)
	c.Timeout = &d
	return err
}

// ns is the median of a manner's runs.
func (c *callResult) ns(manner int) float64 { return stat.Summarize(c.Samples[manner].Values).Median }
