package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// plain is s with \DDD for the octets of what is not printable, so that no text from outside moves the cursor of a terminal.
func plain(s string) string {
	var b strings.Builder
	for i, c := range s {
		switch {
		case c == unicode.ReplacementChar && s[i] != "\uFFFD"[0]: // not UTF-8
			fmt.Fprintf(&b, `\%03d`, s[i])
		case unicode.IsPrint(c):
			b.WriteRune(c)
		default:
			for _, octet := range []byte(string(c)) {
				fmt.Fprintf(&b, `\%03d`, octet)
			}
		}
	}
	return b.String()
}

// seconds writes microseconds as dnsperf does.
func seconds(us float64) string { return strconv.FormatFloat(us/1e6, 'f', 6, 64) }

// percent is the part that n is of all, 0 where there is nothing.
func percent(n, all uint64) float64 { return 100 * part(float64(n), float64(all)) }

func part(n, all float64) float64 {
	if all == 0 {
		return 0
	}
	return n / all
}

// counted writes n and, as dnsperf does, its part of all.
func counted(n, all uint64) string { return fmt.Sprintf("%d (%.2f%%)", n, percent(n, all)) }

// short writes microseconds in three digits and the unit that fits.
func short(us float64) string {
	switch {
	case us == 0:
		return "0"
	case us < 999.5:
		return three(us) + "µs"
	case us < 999.5e3:
		return three(us/1e3) + "ms"
	}
	return three(us/1e6) + "s"
}

// three writes v, which is below 1,000, in three digits.
func three(v float64) string {
	switch {
	case v < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// big writes a number in eight characters at most.
func big(v float64) string {
	if v < 99_999_999.5 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	for _, unit := range "MGTP" {
		if v /= 1000; unit == 'M' {
			v /= 1000
		}
		if v < 99_999.5 {
			return strconv.FormatFloat(v, 'f', 1, 64) + string(unit)
		}
	}
	return strconv.FormatFloat(v/1000, 'f', 0, 64) + "E"
}

// grouped writes n with a comma at each thousand.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
