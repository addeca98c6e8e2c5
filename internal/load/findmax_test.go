package load

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/load/result"
)

func slo(text string) SLO {
	s, err := ParseSLO(text)
	if err != nil {
		panic(err)
	}
	return s
}

// limited is a trial of a server that loses what is above its limit, which is another by noise, a share of it, each time.
func limited(limit, noise float64) func(context.Context, float64) (*result.Result, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	return func(_ context.Context, rate float64) (*result.Result, error) {
		l := limit * (1 + noise*(2*rng.Float64()-1))
		r := &result.Result{Verdict: result.Valid, Planned: uint64(10 * rate), Sent: uint64(10 * rate)}
		r.Completed = uint64(10 * min(rate, l))
		r.Lost.Timeout = r.Sent - r.Completed
		return r, nil
	}
}

func TestFindMax(t *testing.T) {
	for _, limit := range []float64{3, 100, 999, 1000, 1001, 20000, 123456, 5e6} {
		m, err := FindMax(context.Background(), Search{SLO: slo("loss<0.1%"), Trial: limited(limit, 0)})
		if err != nil || !m.Done {
			t.Errorf("limit %v: %+v, %v", limit, m, err)
			continue
		}
		if m.Low > limit*1.002 || m.High < limit || m.High-m.Low > max(1, 0.05*m.High) {
			t.Errorf("limit %v: found %v to %v", limit, m.Low, m.High)
		}
		if len(m.Trials) > 25 {
			t.Errorf("limit %v: %d trials", limit, len(m.Trials))
		}
		ends := map[float64]int{}
		for _, x := range m.Trials {
			ends[x.Rate]++
		}
		if ends[m.Low] < 3 || ends[m.High] < 3 {
			t.Errorf("limit %v: the ends had %d and %d trials", limit, ends[m.Low], ends[m.High])
		}
	}
}

// TestFindMaxWithNoise has a limit that moves by 5 % from trial to trial: the interval is within what it moves over, and a width.
func TestFindMaxWithNoise(t *testing.T) {
	for seed := range 50 {
		limit := 20000 + 137*float64(seed)
		m, err := FindMax(context.Background(), Search{SLO: slo("loss<0.1%"), Trial: limited(limit, 0.05), Trials: 60})
		if err != nil || !m.Done {
			t.Errorf("limit %v: %v to %v, %s, %v", limit, m.Low, m.High, m.Reason, err)
			continue
		}
		if m.Low < limit*0.87 || m.High > limit*1.13 || m.High-m.Low > 0.05*m.High {
			t.Errorf("limit %v: found %v to %v", limit, m.Low, m.High)
		}
	}
}

func TestFindMaxEnds(t *testing.T) {
	fails := errors.New("no network")
	client := func(at float64) func(context.Context, float64) (*result.Result, error) {
		return func(_ context.Context, rate float64) (*result.Result, error) {
			r := &result.Result{Verdict: result.Valid, Planned: 10, Sent: 10, Completed: 10}
			if rate > at {
				r.Verdict, r.Reasons = result.Invalid, []result.Reason{{Code: result.CodeBehind}}
			}
			return r, nil
		}
	}
	unreachable := func(context.Context, float64) (*result.Result, error) {
		return &result.Result{Verdict: result.Invalid, Reasons: []result.Reason{{Code: result.CodeUnreachable}}}, nil
	}
	for _, tt := range []struct {
		name      string
		s         Search
		low, high float64
		client    bool
		done      bool
		trials    int
		err       error
	}{
		{name: "this machine", s: Search{Trial: client(10000)}, low: 8000, client: true, trials: 7},
		{name: "this machine at once", s: Search{Trial: client(1)}, client: true, trials: 3},
		{name: "the highest rate", s: Search{Trial: limited(1e9, 0), High: 5000}, low: 5000, trials: 4},
		{name: "no rate", s: Search{Trial: limited(0.1, 0)}, high: 1, trials: 10},
		{name: "nobody there", s: Search{Trial: unreachable, Low: 4}, high: 1, trials: 3},
		{name: "few trials", s: Search{Trial: limited(20000, 0), Trials: 7}, low: 16000, high: 24000, trials: 7},
		{name: "an error", s: Search{Trial: func(_ context.Context, rate float64) (*result.Result, error) {
			if rate > 1000 {
				return nil, fails
			}
			return limited(1e9, 0)(nil, rate)
		}}, low: 1000, trials: 1, err: fails},
	} {
		tt.s.SLO = slo("loss<1%")
		told := 0
		tt.s.OnTrial = func(Trial) { told++ }
		m, err := FindMax(context.Background(), tt.s)
		if !errors.Is(err, tt.err) || m.Client != tt.client || m.Low != tt.low || m.High != tt.high || m.Done != tt.done || len(m.Trials) != tt.trials || told != tt.trials || m.Reason == "" {
			t.Errorf("%s: %+v, %v; %d told", tt.name, m, err, told)
		}
	}
}

// What disturbs this machine now and then does not end a search.
func TestFindMaxDisturbed(t *testing.T) {
	n, steady := 0, limited(20000, 0)
	trial := func(ctx context.Context, rate float64) (*result.Result, error) {
		if n++; n%3 != 0 {
			return &result.Result{Verdict: result.Invalid, Reasons: []result.Reason{{Code: result.CodeBehind}}}, nil
		}
		return steady(ctx, rate)
	}
	m, err := FindMax(context.Background(), Search{SLO: slo("loss<0.1%"), Trial: trial, Trials: 100})
	if err != nil || !m.Done || m.Client || m.Low > 20000*1.002 || m.High < 20000 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestFindMaxStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	m, err := FindMax(ctx, Search{SLO: slo("loss<1%"), Trial: func(_ context.Context, rate float64) (*result.Result, error) {
		if n++; n == 3 {
			cancel()
		}
		return limited(1e9, 0)(ctx, rate)
	}})
	if !errors.Is(err, context.Canceled) || m == nil || m.Low != 2000 || n != 3 {
		t.Errorf("%+v, %v after %d trials", m, err, n)
	}
	for _, s := range []Search{{}, {SLO: slo("loss<1%")}, {SLO: slo("loss<1%"), Trial: limited(1, 0), Low: 100, High: 50}, {SLO: slo("loss<1%"), Trial: limited(1, 0), Width: 0.9}, {Trial: limited(1, 0)}} {
		if _, err := FindMax(context.Background(), s); err == nil {
			t.Errorf("%+v has no error", s)
		}
	}
}

// TestWindowIsAMiss: a server so slow that the window fills has not kept up, though it lost nothing.
func TestWindowIsAMiss(t *testing.T) {
	m, err := FindMax(context.Background(), Search{SLO: slo("loss<1%"), Trial: func(_ context.Context, rate float64) (*result.Result, error) {
		r := &result.Result{Verdict: result.Valid, Planned: uint64(rate), Sent: uint64(min(rate, 3000)), Completed: uint64(min(rate, 3000))}
		r.Unsent.Window = r.Planned - r.Sent
		return r, nil
	}})
	if err != nil || !m.Done || m.Low < 2850 || m.High > 3200 {
		t.Errorf("found %v to %v, %v", m.Low, m.High, err)
	}
}

func TestVotes(t *testing.T) {
	for _, tt := range []struct {
		votes     string // rates, each passed or not
		low, high float64
	}{
		{"1+", 1, 0}, {"1-", 0, 1}, {"1+ 2-", 1, 2}, {"2- 1+", 1, 2}, {"1+ 4- 2+ 3-", 2, 3},
		{"1+ 2- 2+", 1, 2}, {"1+ 2- 2+ 2+", 2, 0}, {"1+ 2+ 2- 4-", 1, 2}, {"1+ 2+ 2- 2- 4-", 1, 2}, {"1+ 2+ 2- 2+ 4-", 2, 4},
		{"1+ 3- 4+", 1, 3}, {"1- 2+ 3-", 0, 1},
	} {
		v := &votes{}
		for _, x := range strings.Fields(tt.votes) {
			v.add(float64(x[0]-'0'), x[1] == '+')
		}
		if low, high := v.interval(); low.rate != tt.low || high.rate != tt.high {
			t.Errorf("%s: %v to %v, want %v to %v", tt.votes, low.rate, high.rate, tt.low, tt.high)
		}
	}
}
