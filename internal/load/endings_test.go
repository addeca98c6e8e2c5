package load

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/resolver"
)

func rate(text string) Profile {
	p, err := ParseProfile(text)
	if err != nil {
		panic(err)
	}
	return p
}

// code is that of the reasons, "" where there is none.
func hasCode(r *result.Result, code string) bool {
	for _, x := range r.Reasons {
		if x.Code == code {
			return true
		}
	}
	return false
}

func TestEndings(t *testing.T) {
	for _, tt := range []struct {
		name      string
		plan      Plan
		script    func(n int, at time.Duration) outcome
		planned   uint64
		completed uint64
		seconds   float64
		verdict   string
		code      string
	}{
		{
			name: "the duration of an open plan", plan: Plan{Rate: rate("100"), Duration: 2 * time.Second},
			planned: 200, completed: 200, seconds: 2, verdict: result.Valid,
		}, {
			name: "the duration of a closed plan", plan: Plan{Outstanding: 10, Duration: time.Second},
			script:  quick(10 * time.Millisecond),
			planned: 1000, completed: 1000, seconds: 1, verdict: result.Valid,
		}, {
			name: "the count of an open plan", plan: Plan{Rate: rate("100"), Count: 30},
			planned: 30, completed: 30, seconds: 0.3, verdict: result.Valid,
		}, {
			name: "the count of a closed plan", plan: Plan{Outstanding: 7, Count: 101},
			script:  quick(10 * time.Millisecond),
			planned: 101, completed: 101, seconds: 0.14, verdict: result.Valid,
		}, {
			name: "the count before the duration", plan: Plan{Rate: rate("100"), Count: 30, Duration: time.Second},
			planned: 30, completed: 30, seconds: 0.3, verdict: result.Valid,
		}, {
			name: "the profile", plan: Plan{Rate: rate("ramp 0..100/2s, hold 1s")},
			planned: 200, completed: 200, seconds: 3, verdict: result.Valid,
		}, {
			name: "no more queries, open", plan: Plan{Rate: rate("100"), Set: list{n: 50}},
			planned: 50, completed: 50, seconds: 0.5, verdict: result.Valid, code: result.CodeNote,
		}, {
			name: "no more queries, closed", plan: Plan{Outstanding: 10, Set: list{n: 55}},
			planned: 55, completed: 55, seconds: 0.005, verdict: result.Valid, code: result.CodeNote,
		}, {
			name: "no more of a recording", plan: Plan{Arrival: Recorded, Set: list{n: 50, every: 10 * time.Millisecond}, Speed: 2},
			planned: 50, completed: 50, seconds: 0.245, verdict: result.Valid, code: result.CodeNote,
		}, {
			name: "nobody listens", plan: Plan{Outstanding: 10, Duration: 10 * time.Second},
			script: func(int, time.Duration) outcome {
				return outcome{after: time.Millisecond, err: backend.ErrRefused}
			},
			planned: 10 * 500, verdict: result.Invalid, code: result.CodeUnreachable, seconds: 0.5,
		}, {
			name: "nobody answers", plan: Plan{Rate: rate("10"), Duration: 60 * time.Second, Timeout: 2 * time.Second},
			script:  func(int, time.Duration) outcome { return outcome{lost: true} },
			planned: 40, verdict: result.Invalid, code: result.CodeUnreachable, seconds: 4,
		}, {
			name: "nobody answers, and the plan is short", plan: Plan{Rate: rate("10"), Count: 2, Timeout: time.Second},
			script:  func(int, time.Duration) outcome { return outcome{lost: true} },
			planned: 2, verdict: result.Invalid, code: result.CodeUnreachable, seconds: 0.2,
		},
	} {
		for threads := 1; threads <= 3; threads += 2 {
			if threads > 1 && tt.seconds > 0.5 && tt.code == result.CodeUnreachable {
				continue // their clocks are not one, so neither is the end
			}
			t.Run(fmt.Sprintf("%s/threads=%d", tt.name, threads), func(t *testing.T) {
				p := tt.plan
				p.Threads = threads
				r, _ := on(t, &p, func(f *fake) {
					if tt.script != nil {
						f.script = tt.script
					}
				})
				exact := threads == 1 || p.Open() || p.Count > 0
				if exact && (r.Planned != tt.planned || r.Completed != tt.completed) {
					t.Errorf("planned %d and completed %d, want %d and %d", r.Planned, r.Completed, tt.planned, tt.completed)
				}
				if silent := r.Lost.ICMP == 0 && tt.seconds > 1 && tt.code == result.CodeUnreachable; silent != (r.Interrupted > 0) {
					t.Errorf("%d were outstanding at the end", r.Interrupted)
				}
				if threads == 1 && (r.Seconds < tt.seconds-1e-6 || r.Seconds > tt.seconds+0.051) {
					t.Errorf("%v seconds, want %v", r.Seconds, tt.seconds)
				}
				if r.Verdict != tt.verdict || tt.code != "" && !hasCode(r, tt.code) {
					t.Errorf("%s: %+v, want %s with %s", r.Verdict, r.Reasons, tt.verdict, tt.code)
				}
			})
		}
	}
}

// TestOneRefuses has one of two servers refuse and the other take its time: that is no end.
func TestOneRefuses(t *testing.T) {
	p := &Plan{Servers: []Server{server(1, 1), server(2, 1)}, Rate: rate("100"), Duration: 2 * time.Second}
	r, _ := on(t, p, func(f *fake) {
		f.script = func(n int, _ time.Duration) outcome {
			if n%2 == 0 {
				return outcome{after: time.Millisecond, err: backend.ErrRefused}
			}
			return outcome{after: 900 * time.Millisecond}
		}
	})
	if r.Lost.ICMP != 100 || r.Completed != 100 || r.Verdict != result.Valid {
		t.Errorf("completed %d, lost %+v, %s %+v", r.Completed, r.Lost, r.Verdict, r.Reasons)
	}
}

func TestLosses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		script func(n int, at time.Duration) outcome
		drops  uint64
		tcp    bool
		want   result.Lost
		valid  bool
	}{
		{"a fifth is lost", func(n int, _ time.Duration) outcome { return outcome{lost: n%5 == 0} }, 0, false, result.Lost{Timeout: 200}, true},
		{"a fifth is late", func(n int, _ time.Duration) outcome {
			return outcome{late: n%5 == 0, after: time.Duration(1-min(1, n%5)) * 1200 * time.Millisecond}
		}, 0, false, result.Lost{Late: 160, Timeout: 40}, true}, // the run ends before the last 40 could come
		{"the first after the timeout is read before the clock", func(n int, _ time.Duration) outcome {
			return outcome{after: time.Duration(1-min(1, n%5)) * 1001 * time.Millisecond}
		}, 0, false, result.Lost{Late: 200}, true},
		{"some of the lost were dropped here", func(n int, _ time.Duration) outcome { return outcome{lost: n%5 == 0} }, 150, false, result.Lost{ClientDrop: 150, Timeout: 50}, false},
		{"more drops than losses", func(n int, _ time.Duration) outcome { return outcome{lost: n%5 == 0} }, 999, false, result.Lost{ClientDrop: 200}, false},
		{"drops without losses", func(int, time.Duration) outcome { return outcome{} }, 5, false, result.Lost{}, true},
		{"ICMP", failing(backend.ErrRefused), 0, false, result.Lost{ICMP: 200}, true},
		{"no way", failing(fmt.Errorf("x: %w", backend.ErrUnreachable)), 0, false, result.Lost{ICMP: 200}, true},
		{"hung up", failing(resolver.ErrHungUp), 0, true, result.Lost{Closed: 200}, true},
		{"reset", failing(backend.ErrReset), 0, true, result.Lost{Closed: 200}, true},
		{"refused connection", failing(backend.ErrRefused), 0, true, result.Lost{Closed: 200}, true},
		{"no descriptors", failing(backend.ErrNoFiles), 0, true, result.Lost{SendError: 200}, false},
		{"no buffers", failing(backend.ErrNoBuffers), 0, false, result.Lost{SendError: 200}, false},
		{"a firewall here", failing(backend.ErrDenied), 0, false, result.Lost{SendError: 200}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &Plan{Rate: rate("1k"), Duration: time.Second, Timeout: time.Second}
			if tt.tcp {
				p.Transport = resolver.TCP
			}
			r, _ := on(t, p, func(f *fake) {
				f.script = func(n int, at time.Duration) outcome {
					f.stats.Socket.Dropped = tt.drops * uint64(n) / 999
					return tt.script(n, at)
				}
			})
			if r.Lost != tt.want {
				t.Errorf("lost %+v, want %+v", r.Lost, tt.want)
			}
			if valid := r.Verdict == result.Valid; valid != tt.valid {
				t.Errorf("verdict %s, %+v", r.Verdict, r.Reasons)
			}
		})
	}
}

// failing is a script in which a fifth of the queries fail.
func failing(err error) func(int, time.Duration) outcome {
	return func(n int, _ time.Duration) outcome {
		if n%5 == 0 {
			return outcome{after: time.Millisecond, err: err}
		}
		return outcome{}
	}
}

func TestInterrupted(t *testing.T) {
	for _, p := range []Plan{{Rate: rate("1k")}, {Outstanding: 100}, {Rate: rate("1k"), Threads: 3}, {Rate: rate("1k"), Count: 500}} {
		ctx, cancel := context.WithCancel(context.Background())
		p.OnTick = nil
		r, _, err := drive(t, ctx, &p, func(f *fake) {
			f.script = func(n int, at time.Duration) outcome {
				if at > time.Second || p.Count > 0 {
					cancel()
					for !f.shard.pulse.stop.Load() {
						runtime.Gosched()
					}
				}
				return outcome{after: time.Second + time.Duration(n)*time.Millisecond}
			}
		})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if r.Interrupted == 0 || !hasCode(r, result.CodeInterrupted) || r.Verdict != result.Valid {
			t.Errorf("%d interrupted, %s: %+v", r.Interrupted, r.Verdict, r.Reasons)
		}
	}
}

func TestEngineError(t *testing.T) {
	broken := errors.New("the poller broke")
	r, _, err := drive(t, context.Background(), &Plan{Rate: rate("1k"), Duration: time.Second}, func(f *fake) {
		f.turn = func(at time.Duration) (time.Duration, error) {
			if at > 300*time.Millisecond {
				return 0, broken
			}
			return 0, nil
		}
	})
	if !errors.Is(err, broken) || r == nil || r.Sent < 290 || r.Sent > 310 {
		t.Errorf("%v, and the result %+v", err, r)
	}
}

var errNoAnswer = fmt.Errorf("scripted: %w", backend.ErrRefused)

func TestExplain(t *testing.T) {
	for _, tt := range []struct {
		timeouts, late, dropped uint64
		want                    result.Lost
	}{
		{10, 0, 0, result.Lost{Timeout: 10}},
		{10, 3, 4, result.Lost{Late: 3, ClientDrop: 4, Timeout: 3}},
		{10, 8, 4, result.Lost{Late: 8, ClientDrop: 2}},
		{10, 12, 4, result.Lost{Late: 10}},
		{10, 0, 99, result.Lost{ClientDrop: 10}},
		{0, 5, 5, result.Lost{}},
	} {
		l := result.Lost{Timeout: tt.timeouts}
		if explain(&l, tt.late, tt.dropped); l != tt.want {
			t.Errorf("%+v: %+v", tt, l)
		}
	}
}

// A closed plan whose time is over while its window is full waits for answers and does not turn in vain.
func TestFullWindowAtTheEnd(t *testing.T) {
	for _, p := range []*Plan{{Outstanding: 10, Duration: 100 * time.Millisecond}, {Outstanding: 10, Count: 10}} {
		turns := 0
		p.Timeout = time.Second
		r, _ := on(t, p, func(f *fake) {
			f.script = func(n int, _ time.Duration) outcome { return outcome{after: 500 * time.Millisecond, lost: n > 0} }
			f.turn = func(time.Duration) (time.Duration, error) {
				if turns++; turns > 1000 {
					return 0, errors.New("it turns and turns")
				}
				return 0, nil
			}
		})
		if r.Sent != 10 || r.Completed != 1 || r.Lost.Timeout != 9 {
			t.Errorf("sent %d, completed %d, lost %+v after %d turns", r.Sent, r.Completed, r.Lost, turns)
		}
	}
}
