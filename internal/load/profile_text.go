package load

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// maxSteps bounds the steps of a profile, maxRate the rates.
const (
	maxSteps = 10000
	maxRate  = 1e9
)

// ParseProfile reads a profile: parts separated by commas, one after the other.
//
//	10k                       this rate; without a length it goes on, so nothing may follow
//	10k/30s                   this rate for 30 s
//	hold 30s                  the rate that the part before ended with
//	ramp 0..200k/60s          from the one to the other in a straight line
//	step 1k..5k+1k/10s        1k, 2k, 3k, 4k and 5k, each for 10 s; downwards too
//
// A rate is a number of queries a second, with k or M for thousands and millions. An error names the part.
func ParseProfile(text string) (Profile, error) {
	var list []part
	for i, s := range strings.Split(text, ",") {
		s = strings.TrimSpace(s)
		bad := func(err error) (Profile, error) {
			return Profile{}, fmt.Errorf("rate %q, part %d (%q): %w", text, i+1, s, err)
		}
		if n := len(list); n > 0 && math.IsInf(list[n-1].seconds, 1) {
			return bad(errors.New("nothing can follow a rate without a length; write it with one, as 10k/30s"))
		}
		more, err := parsePart(s, list)
		if err != nil {
			return bad(err)
		}
		list = append(list, more...)
	}
	if !slopes(list) {
		return Profile{}, fmt.Errorf("rate %q is never above 0", text)
	}
	return newProfile(strings.TrimSpace(text), list), nil
}

// slopes reports whether any part has queries.
func slopes(list []part) bool {
	for _, x := range list {
		if x.from > 0 || x.to > 0 {
			return true
		}
	}
	return false
}

func parsePart(s string, before []part) ([]part, error) {
	word, rest, _ := strings.Cut(s, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "hold":
		return parseHold(rest, before)
	case "ramp":
		return parseRamp(rest)
	case "step":
		return parseSteps(rest)
	}
	return parseConstant(s)
}

func parseConstant(s string) ([]part, error) {
	rate, length, timed := strings.Cut(s, "/")
	r, err := parseRate(rate)
	if err != nil {
		return nil, err
	}
	if !timed {
		return []part{{from: r, to: r, seconds: math.Inf(1)}}, nil
	}
	seconds, err := parseLength(length)
	return []part{{from: r, to: r, seconds: seconds}}, err
}

func parseHold(s string, before []part) ([]part, error) {
	if len(before) == 0 {
		return nil, errors.New("there is no rate before it to hold")
	}
	seconds, err := parseLength(s)
	r := before[len(before)-1].to
	return []part{{from: r, to: r, seconds: seconds}}, err
}

func parseRamp(s string) ([]part, error) {
	rates, length, ok := strings.Cut(s, "/")
	low, high, both := strings.Cut(rates, "..")
	if !ok || !both {
		return nil, errors.New("write ramp FROM..TO/LENGTH, as ramp 0..200k/60s")
	}
	from, err := parseRate(low)
	if err != nil {
		return nil, err
	}
	to, err := parseRate(high)
	if err != nil {
		return nil, err
	}
	seconds, err := parseLength(length)
	return []part{{from: from, to: to, seconds: seconds}}, err
}

func parseSteps(s string) ([]part, error) {
	rates, length, ok := strings.Cut(s, "/")
	low, high, both := strings.Cut(rates, "..")
	high, by, stepped := strings.Cut(high, "+")
	if !ok || !both || !stepped {
		return nil, errors.New("write step FROM..TO+BY/LENGTH, as step 1k..5k+1k/10s")
	}
	var v [3]float64
	for i, text := range []string{low, high, by} {
		var err error
		if v[i], err = parseRate(text); err != nil {
			return nil, err
		}
	}
	seconds, err := parseLength(length)
	if err != nil {
		return nil, err
	}
	return steps(v[0], v[1], v[2], seconds)
}

// steps are those from one rate to another.
func steps(from, to, by, seconds float64) (list []part, err error) {
	span := math.Abs(to - from)
	if by <= 0 || span/by >= maxSteps {
		return nil, fmt.Errorf("the steps must be above 0 and fewer than %d", maxSteps)
	}
	for i := range int(math.Floor(span/by+1e-9)) + 1 {
		r := from + math.Copysign(by*float64(i), to-from)
		list = append(list, part{from: r, to: r, seconds: seconds})
	}
	return list, nil
}

func parseRate(s string) (float64, error) {
	s = strings.TrimSpace(s)
	digits, unit := s, 1.0
	for suffix, n := range map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6} {
		if d, ok := strings.CutSuffix(s, suffix); ok {
			digits, unit = d, n
		}
	}
	r, err := strconv.ParseFloat(digits, 64)
	if err != nil || !(r >= 0) || r*unit > maxRate {
		return 0, fmt.Errorf("%q is not a rate; write queries a second as 500, 10k or 1.5M", s)
	}
	return r * unit, nil
}

func parseLength(s string) (seconds float64, err error) {
	d, err := time.ParseDuration(strings.TrimSpace(s))
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a length of time; write it as 30s or 1m30s", s)
	}
	return d.Seconds(), nil
}

func formatRate(r float64) string { return strconv.FormatFloat(r, 'f', -1, 64) }
