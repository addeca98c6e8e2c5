package report

import (
	"io"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/dnsq/dnsq/internal/load/result"
)

// An HLog writes the response time of each second as an interval of a log of HdrHistograms, version 1.3. Times are absolute: the format has no
// place for those before a start, as the warm-up's are.
type HLog struct {
	out   *hdrhistogram.HistogramLogWriter
	start time.Time
}

// NewHLog begins the log of a run whose measured part starts at start.
func NewHLog(w io.Writer, version string, start time.Time) (*HLog, error) {
	l := &HLog{hdrhistogram.NewHistogramLogWriter(w), start}
	if err := l.out.OutputComment("[Logged with dnsq " + plain(version) + ": response time in nanoseconds]"); err != nil {
		return nil, err
	}
	if err := l.out.OutputLogFormatVersion(); err != nil {
		return nil, err
	}
	if err := l.out.OutputStartTime(start.UnixMilli()); err != nil {
		return nil, err
	}
	return l, l.out.OutputLegend()
}

// Add writes the interval of a second: all shards' ticks added up.
func (l *HLog) Add(t *result.Tick) error {
	from := l.start.Add(time.Duration(t.At) * time.Second)
	t.Response.SetStartTimeMs(from.UnixMilli())
	t.Response.SetEndTimeMs(from.Add(time.Second).UnixMilli())
	return l.out.OutputIntervalHistogram(t.Response)
}
