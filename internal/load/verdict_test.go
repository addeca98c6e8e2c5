package load

import (
	"slices"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/load/result"
)

func TestVerdict(t *testing.T) {
	good := result.Result{Planned: 100000, Sent: 100000, Completed: 100000}
	with := func(f func(r *result.Result)) result.Result {
		r := good
		f(&r)
		return r
	}
	for _, tt := range []struct {
		name    string
		r       result.Result
		why     ending
		verdict string
		codes   []string
	}{
		{"all well", good, planOver, result.Valid, nil},
		{"a bad server", with(func(r *result.Result) { r.Completed, r.Lost.Timeout = 1, 99999 }), planOver, result.Valid, nil},
		{"refusals", with(func(r *result.Result) { r.Completed, r.Lost.ICMP = 50000, 50000 }), planOver, result.Valid, nil},
		{"a server that hangs up", with(func(r *result.Result) { r.Completed, r.Lost.Closed = 50000, 50000 }), planOver, result.Valid, nil},
		{"few drops", with(func(r *result.Result) { r.Lost.ClientDrop = 10 }), planOver, result.Valid, []string{result.CodeNote}},
		{"drops", with(func(r *result.Result) { r.Lost.ClientDrop = 11 }), planOver, result.Invalid, []string{result.CodeClientDrop}},
		{"a bit behind", with(func(r *result.Result) { r.Unsent.Behind = 1000 }), planOver, result.Valid, []string{result.CodeNote}},
		{"behind", with(func(r *result.Result) { r.Unsent.Behind = 1001 }), planOver, result.Invalid, []string{result.CodeBehind}},
		{"refused here", with(func(r *result.Result) { r.Lost.SendError = 11 }), planOver, result.Invalid, []string{result.CodeSendError}},
		{"the window", with(func(r *result.Result) { r.Unsent.Window = 50000 }), planOver, result.Valid, []string{result.CodeWindow}},
		{"cut short", with(func(r *result.Result) { r.Interrupted = 5 }), stopped, result.Valid, []string{result.CodeInterrupted}},
		{"cut short before the first answer", with(func(r *result.Result) { r.Completed, r.Interrupted = 0, 100000 }), stopped, result.Valid, []string{result.CodeInterrupted}},
		{"nobody", with(func(r *result.Result) { r.Completed, r.Lost.ICMP = 0, 100000 }), unreachable, result.Invalid, []string{result.CodeUnreachable}},
		{"nobody in a short run", with(func(r *result.Result) { r.Completed, r.Lost.Timeout = 0, 100000 }), planOver, result.Invalid, []string{result.CodeUnreachable}},
		{"all late", with(func(r *result.Result) { r.Completed, r.Lost.Late, r.Strays.Late = 0, 100000, 100000 }), planOver, result.Valid, nil},
		{"late sends", with(func(r *result.Result) { r.Pacing.P99 = 1000 }), planOver, result.Valid, []string{result.CodeNote}},
		{"sends nearly on time", with(func(r *result.Result) { r.Pacing.P99 = 999 }), planOver, result.Valid, nil},
		{"one of two answers", with(func(r *result.Result) { r.Targets = []result.Target{{Sent: 5, Completed: 5}, {Sent: 5}, {}} }), planOver, result.Valid, []string{result.CodeNote}},
		{"no more queries", good, noQueries, result.Valid, []string{result.CodeNote}},
		{"nothing to do", result.Result{}, noQueries, result.Invalid, []string{result.CodeNote, result.CodeNote}},
		{"all at once", with(func(r *result.Result) { r.Lost.ClientDrop, r.Unsent.Behind = 5000, 5000 }), planOver, result.Invalid, []string{result.CodeClientDrop, result.CodeBehind}},
	} {
		judge(&tt.r, tt.why, time.Second, backend.ErrNoFiles)
		var codes []string
		for _, x := range tt.r.Reasons {
			codes = append(codes, x.Code)
		}
		if tt.r.Verdict != tt.verdict || !slices.Equal(codes, tt.codes) {
			t.Errorf("%s: %s with %q, want %s with %q: %+v", tt.name, tt.r.Verdict, codes, tt.verdict, tt.codes, tt.r.Reasons)
		}
	}
}

func TestCeiling(t *testing.T) {
	for _, tt := range []struct {
		ceiling, qps float64
		verdict      string
	}{{1000, 799, result.Valid}, {1000, 800, result.Invalid}, {1000, 1200, result.Invalid}, {0, 1200, result.Valid}} {
		r := &result.Result{QPS: tt.qps, Verdict: result.Valid}
		Ceiling{QPS: tt.ceiling}.Mark(r)
		if r.Verdict != tt.verdict || hasCode(r, result.CodeClientBound) != (tt.verdict == result.Invalid) || clientLimit(r) != (tt.verdict == result.Invalid) {
			t.Errorf("%v of %v: %s %+v", tt.qps, tt.ceiling, r.Verdict, r.Reasons)
		}
	}
}
