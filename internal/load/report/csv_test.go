package report_test

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/report"
	"github.com/dnsq/dnsq/internal/load/result"
)

func TestCSV(t *testing.T) {
	r := &result.Result{BySecond: []result.Second{
		{At: -1, Target: 1000.5, Sent: 1, Completed: 2, Lost: 3, Unsent: 4, InFlight: 5, Min: 0.512, Mean: 10, P50: 11.25, P99: 12, Max: 120e6},
		{At: 0, Sent: math.MaxUint64},
	}}
	var b bytes.Buffer
	if err := report.CSV(&b, r); err != nil {
		t.Fatal(err)
	}
	want := "second,target,sent,completed,lost,unsent,in_flight,min_us,mean_us,p50_us,p99_us,max_us\r\n" +
		"-1,1000.5,1,2,3,4,5,0.512,10,11.25,12,120000000\r\n" +
		"0,0,18446744073709551615,0,0,0,0,0,0,0,0,0\r\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// An hour's file has an hour's sum.
func TestCSVHour(t *testing.T) {
	r, _ := run{seconds: 3600, rate: 3}.result(t)
	var b strings.Builder
	if err := report.CSV(&b, r); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	sum := uint64(0)
	for _, line := range lines[2:] { // the header and the warm-up
		n, err := strconv.ParseUint(line[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += n
	}
	if len(lines) != 3602 || sum != r.Sent {
		t.Errorf("%d lines, %d sent; want 3602, %d", len(lines), sum, r.Sent)
	}
}
