package main

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load"
	"github.com/dnsq/dnsq/internal/load/result"
)

// Lengths of time are dnsperf's seconds, or have a unit.
func TestSeconds(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"5": 5 * time.Second, "0.25": 250 * time.Millisecond, "0": 0, "1m30s": 90 * time.Second, "200ms": 200 * time.Millisecond,
		"": -1, "-1": -1, "-1s": -1, "soon": -1, "1e30": -1, "NaN": -1,
	} {
		var got seconds
		err := got.Set(text)
		if (err != nil) != (want < 0) || err == nil && time.Duration(got) != want {
			t.Errorf("%q: %v, %v; want %v", text, time.Duration(got), err, want)
		}
	}
	if none, some := seconds(0), seconds(1500*time.Millisecond); none.String() != "" || some.String() != "1.5s" {
		t.Errorf("%q, %q", none.String(), some.String())
	}
}

// Sizes are dnsperf's KiB, or have a unit.
func TestKibibytes(t *testing.T) {
	for text, want := range map[string]int{
		"4096": 4 << 20, "0": 0, "64k": 64 << 10, "64K": 64 << 10, "4M": 4 << 20, "1024M": 1 << 30,
		"": -1, "-1": -1, "4G": -1, "1025M": -1, "99999999": -1, "M": -1, "1.5M": -1,
	} {
		var got kibibytes
		err := got.Set(text)
		if (err != nil) != (want < 0) || err == nil && int(got) != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
	if k := kibibytes(4 << 20); k.String() != "4096" {
		t.Errorf("%q", k.String())
	}
}

// A run's end is told in dnsperf's words.
func TestEnding(t *testing.T) {
	why := func(code string) []result.Reason { return []result.Reason{{Code: code}} }
	for want, r := range map[string]*result.Result{
		"time limit":        {Seconds: 2, Plan: result.Plan{Seconds: 2}},
		"end of file":       {Seconds: 1, Plan: result.Plan{Seconds: 2}},
		"interruption":      {Seconds: 2, Plan: result.Plan{Seconds: 2}, Reasons: why(result.CodeInterrupted)},
		"no server answers": {Reasons: append(why(result.CodeNote), why(result.CodeUnreachable)...)},
	} {
		if got := ending(r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// How a run ends is an exit status.
func TestJudge(t *testing.T) {
	slo, err := load.ParseSLO("loss<1%")
	if err != nil {
		t.Fatal(err)
	}
	lossy := &result.Result{Verdict: result.Valid, Sent: 100, Completed: 90, Lost: result.Lost{Timeout: 10}}
	for _, tt := range []struct {
		r      *result.Result
		bounds load.SLO
		want   int
	}{
		{&result.Result{Verdict: result.Valid}, load.SLO{}, exitOK},
		{lossy, load.SLO{}, exitOK},
		{lossy, slo, exitMissed},
		{&result.Result{Verdict: result.Invalid, Reasons: []result.Reason{{Code: result.CodeBehind}}}, slo, exitInvalid},
		{&result.Result{Verdict: result.Invalid, Reasons: []result.Reason{{Code: result.CodeUnreachable, Text: "no server answered"}}}, slo, exitNoReply},
	} {
		var errs strings.Builder
		if got := (&environment{stderr: &errs}).exit(judge(tt.r, tt.bounds)); got != tt.want || (errs.Len() > 0) != (got != exitOK) {
			t.Errorf("%+v: exit code %d, %q; want %d", tt.r, got, errs.String(), tt.want)
		}
	}
}

// What a search found is told in a sentence.
func TestPrintMax(t *testing.T) {
	slo, err := load.ParseSLO("loss<1%")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		m    load.Max
		want string
		err  error
	}{
		{load.Max{Low: 19_900, High: 20_500, Done: true, Reason: "why"}, "loss<1% holds at 19900 queries a second and does not at 20500, 2.9 % above: why", nil},
		{load.Max{Low: 8000, Client: true, Reason: "why"}, "loss<1% holds at 8000 queries a second, the highest rate tried: why", errInvalid},
		{load.Max{Reason: "why"}, "loss<1% holds at no rate that was tried: why", errMissed},
		{load.Max{Client: true, Reason: "why"}, "loss<1% holds at no rate that was tried: why", errInvalid},
	} {
		var out strings.Builder
		if err := printMax(&environment{stdout: &out}, &tt.m, slo); !errors.Is(err, tt.err) || strings.TrimSpace(out.String()) != tt.want {
			t.Errorf("%q, %v; want %q, %v", out.String(), err, tt.want, tt.err)
		}
	}
}

// The rate is that since the line before.
func TestRateLines(t *testing.T) {
	var out strings.Builder
	l := &rateLines{every: 2}
	for _, n := range []uint64{100, 200, 300, 500} {
		l.add(&out, &result.Tick{Completed: n})
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[0], ": 150.000000") || !strings.HasSuffix(lines[1], ": 400.000000") {
		t.Errorf("%q", out.String())
	}
}

// Nobody looks at a file, nor where all is thrown away.
func TestTerminal(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if terminal(file) || terminal(null) {
		t.Error("a terminal")
	}
}
