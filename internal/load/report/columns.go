package report

import (
	"strconv"

	"github.com/dnsq/dnsq/internal/load/result"
)

// A column is what is drawn for some seconds together: an hour has more of them than a chart has pixels worth telling apart. Rates are means.
type column struct {
	At      int // its first second
	Seconds int

	Target, Sent, Completed, Lost, Unsent float64
	Heat                                  []uint64
}

// columns gathers the seconds that count into so many columns at most, each of as many seconds, a round number, but for the last.
func columns(seconds []result.Second, most int) []column {
	end := 0
	for i := range seconds {
		end = max(end, seconds[i].At+1)
	}
	if end == 0 {
		return nil
	}
	width := wide(end, most)
	list := make([]column, (end-1)/width+1) // in this order: a file may say any second
	for i := range list {
		list[i] = column{At: i * width, Seconds: min(width, end-i*width), Heat: make([]uint64, result.HeatBuckets)}
	}
	for i := range seconds {
		if s := &seconds[i]; s.At >= 0 {
			list[s.At/width].add(s)
		}
	}
	return list
}

func (c *column) add(s *result.Second) {
	n := float64(c.Seconds)
	c.Target += s.Target / n
	c.Sent += float64(s.Sent) / n
	c.Completed += float64(s.Completed) / n
	c.Lost += float64(s.Lost) / n
	c.Unsent += float64(s.Unsent) / n
	for i, count := range s.Heat {
		c.Heat[min(i, len(c.Heat)-1)] += count
	}
}

// times are the labels of an axis of columns: round seconds, about so many of them, and nothing in between.
func times(c []column, labels int) []string {
	end := c[len(c)-1].At + c[len(c)-1].Seconds
	step := wide(end, labels)
	names, next := make([]string, len(c)), 0
	for i := range c {
		if c[i].At >= next {
			names[i] = strconv.Itoa(c[i].At)
			next = (c[i].At/step + 1) * step
		}
	}
	return names
}

// wide is the least of 1, 2, 5, 10, 20, … so many times which is all.
func wide(all, times int) int {
	for decade := 1; ; decade *= 10 {
		for _, step := range []int{1, 2, 5} {
			if (all-1)/(step*decade) < times {
				return step * decade
			}
		}
	}
}
