package main

import (
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"time"

	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/report"
	"github.com/dnsq/dnsq/internal/load/result"
)

// A loadOutput shows a run while it goes on and when it is over.
type loadOutput struct {
	*environment
	files  loadFiles
	live   *report.Live // nil: nobody watches
	rate   *rateLines   // nil: not asked for
	prom   *metrics     // nil: not asked for
	rounds int          // that the queries are gone through; 0: no bound
	result *result.Result
	closed []func() error // what else is to be closed
	failed error          // of what was written meanwhile
	log    *report.HLog
	logTo  *os.File
}

func (f *loadFlags) openOutput(e *environment) (o *loadOutput, err error) {
	o = &loadOutput{environment: e, rounds: f.rounds}
	if out, ok := e.stdout.(*os.File); ok && !f.quiet && terminal(out) {
		o.live = &report.Live{}
	}
	if f.every > 0 {
		o.live, o.rate = nil, &rateLines{every: max(1, int(time.Duration(f.every)/time.Second))}
	}
	for _, file := range []struct {
		path  string
		write func(io.Writer, *result.Result) error
	}{{f.json, result.Write}, {f.metrics, report.DNSMetrics}, {f.csv, report.CSV}, {f.html, report.HTML}} {
		if err = o.files.add(file.path, func(w io.Writer) error { return file.write(w, o.result) }); err != nil {
			o.close()
			return nil, err
		}
	}
	if err = o.openMeanwhile(f); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

// openMeanwhile opens what is written to while the run goes on.
func (o *loadOutput) openMeanwhile(f *loadFlags) (err error) {
	if f.hlog != "" {
		if o.logTo, err = os.Create(f.hlog); err != nil {
			return err
		}
		o.closed = append(o.closed, o.logTo.Close)
	}
	if f.profile != "" {
		file, err := os.Create(f.profile)
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return err
		}
		o.closed = append(o.closed, func() error { pprof.StopCPUProfile(); return file.Close() })
	}
	if f.prom == "" {
		return nil
	}
	o.prom = newMetrics()
	stop, bound, err := o.prom.serve(f.prom)
	if err != nil {
		return usagef("--prom %s: %v", f.prom, err)
	}
	o.closed = append(o.closed, func() error { stop(); return nil })
	fmt.Fprintf(o.stderr, "dnsq: metrics at http://%s/metrics\n", bound)
	return nil
}

// begin says what is about to be done.
func (o *loadOutput) begin(p *load.Plan) error {
	r := &result.Result{Seed: p.Seed, Start: time.Now(), Plan: p.Describe()}
	o.describe(r)
	return report.Opening(o.stdout, r)
}

// describe fills in what the run does not know.
func (o *loadOutput) describe(r *result.Result) {
	r.Version, r.Command, r.Host = version(), o.command, hostFacts()
	r.Plan.Rounds = o.rounds
}

// ending is why a run is over, in dnsperf's words.
func ending(r *result.Result) string {
	for _, why := range r.Reasons {
		switch why.Code {
		case result.CodeInterrupted:
			return "interruption"
		case result.CodeUnreachable:
			return "no server answers"
		}
	}
	if r.Plan.Seconds > 0 && r.Seconds > 0.99*r.Plan.Seconds {
		return "time limit"
	}
	return "end of file"
}

// tick shows a second that is over. It runs on the goroutine that adds up.
func (o *loadOutput) tick(t *result.Tick) {
	if o.live != nil {
		s := t.Second()
		fmt.Fprint(o.stdout, o.live.Line(&s))
	}
	if o.rate != nil {
		o.rate.add(o.stdout, t)
	}
	if o.prom != nil {
		o.prom.observe(t)
	}
	if o.logTo != nil && o.failed == nil && t.At >= 0 {
		o.failed = o.logTick(t)
	}
}

func (o *loadOutput) logTick(t *result.Tick) (err error) {
	if o.log == nil {
		start := time.Now().Add(-time.Duration(t.At+1) * time.Second)
		if o.log, err = report.NewHLog(o.logTo, version(), start); err != nil {
			return err
		}
	}
	return o.log.Add(t)
}

// finish reports r.
func (o *loadOutput) finish(r *result.Result) error {
	o.result = r
	o.describe(r)
	if err := report.Closing(o.stdout, ending(r)); err != nil {
		return err
	}
	if err := report.Text(o.stdout, r); err != nil {
		return err
	}
	if err := o.files.finish(); err != nil {
		return err
	}
	return o.failed
}

func (o *loadOutput) close() {
	o.files.close()
	for _, c := range o.closed {
		_ = c() // the run is over
	}
}

// rateLines are dnsperf's: the rate of answers since the last line.
type rateLines struct {
	every, seconds int
	completed      uint64
}

func (l *rateLines) add(w io.Writer, t *result.Tick) {
	l.seconds++
	l.completed += t.Completed
	if l.seconds < l.every {
		return
	}
	now := time.Now()
	fmt.Fprintf(w, "%d.%06d: %.6f\n", now.Unix(), now.Nanosecond()/1000, float64(l.completed)/float64(l.seconds))
	l.seconds, l.completed = 0, 0
}

// terminal reports whether somebody may be looking at f.
func terminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
