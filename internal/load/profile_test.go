package load

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestParseProfile(t *testing.T) {
	for _, tt := range []struct {
		text   string
		length time.Duration // 0: none
		// the rate and the queries so far at some times, in seconds
		at []struct{ s, rate, queries float64 }
	}{
		{"10000", 0, []struct{ s, rate, queries float64 }{{0, 10000, 0}, {3, 10000, 30000}}},
		{"10k", 0, []struct{ s, rate, queries float64 }{{2, 10000, 20000}}},
		{" 1.5M ", 0, []struct{ s, rate, queries float64 }{{2, 1.5e6, 3e6}}},
		{"10k/30s", 30 * time.Second, []struct{ s, rate, queries float64 }{{10, 10000, 1e5}, {40, 10000, 4e5}}},
		{"ramp 0..200k/60s, hold 30s, step 1k..5k+1k/10s", 140 * time.Second, []struct{ s, rate, queries float64 }{
			{30, 100000, 1.5e6}, {60, 200000, 6e6}, {75, 200000, 9e6}, {90, 1000, 12e6}, {100, 2000, 12010000}, {139, 5000, 12e6 + 145000},
			{150, 5000, 12e6 + 200000},
		}},
		{"step 5..1+2/1s", 3 * time.Second, []struct{ s, rate, queries float64 }{{0, 5, 0}, {1, 3, 5}, {2, 1, 8}, {3, 1, 9}}},
		{"step 1..2+0.4/1s", 3 * time.Second, []struct{ s, rate, queries float64 }{{2, 1.8, 2.4}}},
	} {
		p, err := ParseProfile(tt.text)
		if err != nil {
			t.Error(err)
			continue
		}
		if d, ok := p.Length(); d != tt.length || ok != (tt.length > 0) {
			t.Errorf("%s is %v long (%v), want %v", tt.text, d, ok, tt.length)
		}
		for _, x := range tt.at {
			at := time.Duration(x.s * 1e9)
			if r, q := p.Rate(at), p.Queries(at); math.Abs(r-x.rate) > 1e-6 || math.Abs(q-x.queries) > 1e-6 {
				t.Errorf("%s at %v: %v/s after %v, want %v/s after %v", tt.text, at, r, q, x.rate, x.queries)
			}
		}
	}
}

func TestParseProfileErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"", `part 1 (""): "" is not a rate`},
		{"ten", `"ten" is not a rate; write queries a second as 500, 10k or 1.5M`},
		{"-5", `"-5" is not a rate`},
		{"NaN", `"NaN" is not a rate`},
		{"2e9", `"2e9" is not a rate`},
		{"0", "never above 0"},
		{"10k, 5k", `part 2 ("5k"): nothing can follow a rate without a length`},
		{"10k/30", `part 1 ("10k/30"): "30" is not a length of time`},
		{"10k/-3s", `"-3s" is not a length of time`},
		{"hold 3s", "no rate before it to hold"},
		{"1k/1s, ramp 5..6", `part 2 ("ramp 5..6"): write ramp FROM..TO/LENGTH`},
		{"ramp 5/3s", "write ramp FROM..TO/LENGTH"},
		{"step 1k..5k/10s", "write step FROM..TO+BY/LENGTH"},
		{"step 1k..5k+0/10s", "the steps must be above 0"},
		{"step 1..1M+1/1s", "fewer than 10000"},
		{"jump 3", `"jump 3" is not a rate`},
	} {
		if _, err := ParseProfile(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.text, err, tt.want)
		}
	}
}
