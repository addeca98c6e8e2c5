package report_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/report"
	"github.com/dnsq/dnsq/internal/load/result"
)

// What the log's reader reads are the seconds that were written, the warm-up's and an empty one too.
func TestHLog(t *testing.T) {
	r, ticks := run{seconds: 3, rate: 500, stall: 1, weight: 1e6}.result(t)
	ticks = append(ticks, result.NewTick(0, 3))
	var b bytes.Buffer
	l, err := report.NewHLog(&b, "1.2.3", r.Start)
	if err != nil {
		t.Fatal(err)
	}
	for _, tick := range ticks {
		if err := l.Add(tick); err != nil {
			t.Fatal(err)
		}
	}
	want := "#[Logged with dnsq 1.2.3: response time in nanoseconds]\n#[Histogram log format version 1.3]\n" +
		"#[StartTime: 1772366400 (seconds since epoch), 2026-03-01T12:00:00Z]\n" +
		"\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n1772366399.250000,1.000000,"
	if diff := cmp.Diff(want, b.String()[:min(len(want), b.Len())]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	reader := hdrhistogram.NewHistogramLogReader(&b)
	for _, tick := range ticks {
		got, err := reader.NextIntervalHistogram()
		if err != nil || got == nil {
			t.Fatalf("second %d: %v, %v", tick.At, got, err)
		}
		from := r.Start.UnixMilli() + int64(tick.At)*1000
		if !got.Equals(tick.Response) || got.StartTimeMs() != from || got.EndTimeMs() != from+1000 {
			t.Errorf("second %d: %d counted from %d to %d, want %d from %d", tick.At, got.TotalCount(), got.StartTimeMs(), got.EndTimeMs(), tick.Response.TotalCount(), from)
		}
	}
	if got, err := reader.NextIntervalHistogram(); got != nil || err != nil {
		t.Errorf("after the last: %v, %v", got, err)
	}
}

// full is a disk with no room after so many writes.
type fullDisk int

var errNoRoom = errors.New("no room")

func (d *fullDisk) Write(p []byte) (int, error) {
	if *d--; *d < 0 {
		return 0, errNoRoom
	}
	return len(p), nil
}

// A write that fails is told, wherever it is.
func TestWritesFail(t *testing.T) {
	r, ticks := run{seconds: 1, rate: 10}.result(t)
	r.Reasons = []result.Reason{{Code: result.CodeNote, Text: "x"}}
	for name, write := range map[string]func(d *fullDisk) error{
		"text":    func(d *fullDisk) error { return report.Text(d, r) },
		"opening": func(d *fullDisk) error { return report.Opening(d, r) },
		"closing": func(d *fullDisk) error { return report.Closing(d, "") },
		"csv":     func(d *fullDisk) error { return report.CSV(d, r) },
		"metrics": func(d *fullDisk) error { return report.DNSMetrics(d, r) },
		"hlog": func(d *fullDisk) error {
			l, err := report.NewHLog(d, strings.Repeat("x", 10), r.Start)
			if err != nil {
				return err
			}
			return l.Add(ticks[0])
		},
	} {
		for room := fullDisk(0); ; room++ {
			d := room
			err := write(&d)
			if err == nil && room > 0 {
				break
			}
			if !errors.Is(err, errNoRoom) {
				t.Errorf("%s, after %d writes: %v, want %v", name, room, err, errNoRoom)
				break
			}
		}
	}
}
