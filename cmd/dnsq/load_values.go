package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// seconds is a flag's length of time: a number of seconds, as dnsperf has them, or one with a unit.
type seconds time.Duration

func (s *seconds) Set(text string) error {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n >= 0 && n <= 1e9 {
		*s = seconds(n * 1e9)
		return nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("write a number of seconds, or a length of time such as 500ms or 1m30s")
	}
	*s = seconds(d)
	return nil
}

func (s *seconds) String() string {
	if *s == 0 {
		return ""
	}
	return time.Duration(*s).String()
}

// Type is what the help shows.
func (s *seconds) Type() string { return "seconds" }

// kibibytes is a flag's number of octets: a number of KiB, as dnsperf has them, or one with a unit.
type kibibytes int

func (k *kibibytes) Set(text string) error {
	digits, unit := text, 1<<10
	for _, u := range []struct {
		suffix string
		octets int
	}{{"k", 1 << 10}, {"K", 1 << 10}, {"M", 1 << 20}} {
		if d, ok := strings.CutSuffix(text, u.suffix); ok {
			digits, unit = d, u.octets
		}
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > 1<<30/unit {
		return fmt.Errorf("write a number of KiB, or of MiB as 4M, up to 1024M")
	}
	*k = kibibytes(n * unit)
	return nil
}

func (k *kibibytes) String() string { return strconv.Itoa(int(*k) >> 10) }

// Type is what the help shows.
func (k *kibibytes) Type() string { return "KiB" }
