package main

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/stat"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
)

// recvReport is what a file of "bench recv" says.
type recvReport struct {
	Notes   []string
	Results recvResult
}

// recv runs "bench recv" with args and returns its file, whole and read.
func recv(t *testing.T, args ...string) (text []byte, r recvReport) {
	t.Helper()
	if b, p, err := documentCells()[1].mechanisms(); err != nil || b.Probe() != nil || p.Probe() != nil {
		require.Skip(t, "no %s here: %v", documentPair, err)
	}
	text = benchFile(t, &r, append([]string{"recv"}, args...)...)
	return text, r
}

// With one query outstanding at an edge-triggered loop, recvfrom spends one receive a query that finds nothing, recvmmsg with two buffers none.
func TestBenchRecvEmptyReceives(t *testing.T) {
	_, r := recv(t, "--grid", "none", "--runs", "5", "--seconds", "0.2", "-s", dnstest.Process(t, 1).String())
	p := r.Results.Pair
	if p == nil || !p.Document {
		t.Fatalf("no pair: %q", r.Notes)
	}
	const slack = 0.02 // a wake for a try that came again
	if math.Abs(p.Empty[0]-1) > slack || p.Empty[1] > slack || math.Abs(p.Syscalls[0]-4) > 4*slack || math.Abs(p.Syscalls[1]-3) > 4*slack {
		t.Errorf("empty receives %v, want 1 and 0; system calls %v, want 4 and 3", p.Empty, p.Syscalls)
	}
	for _, name := range recvTimes() {
		s, c := p.Samples[name], p.Compared[name]
		if len(s[0].Values) != 5 || len(s[1].Values) != 5 || c.Samples[1] != stat.Summarize(s[1].Values) || c.Student.Level != 99.5 {
			t.Errorf("%s: %+v", name, c)
		}
	}
	for i, v := range p.Samples["total"][0].Values {
		if sum := p.Samples["user"][0].Values[i] + p.Samples["system"][0].Values[i]; math.Abs(v-sum) > 1 || v <= 0 {
			t.Errorf("run %d: %v ns in all, user and system %v", i, v, sum)
		}
	}
}

// What others read: the envelope and all parts of the results.
func TestBenchRecvSchema(t *testing.T) {
	text, r := recv(t, "--runs", "2", "--seconds", "0.1", "-s", dnstest.Process(t, 1).String())
	for i := range r.Results.Cells {
		if c := r.Results.Cells[i]; c.recvCell != recvGrid(false)[i] || c.Unavailable == "" && (c.Queries < leastRecvQueries || c.Syscalls < 0 || c.Syscalls == 0 && c.Backend != "uring") {
			t.Errorf("cell %+v", c)
		}
	}
	if len(r.Results.Cells) != 24 {
		t.Errorf("%d cells", len(r.Results.Cells))
	}
	text = bytes.Replace(text, []byte(`"notes": []`), []byte(`"notes": ["one"]`), 1) // a quiet machine has none
	checkSchema(t, "recv", text)
}

// The best number of buffers follows from the wakes that were counted, and what the engine offers by its own rule costs little more.
func TestBenchRecvDistribution(t *testing.T) {
	_, r := recv(t, "--distribution", "--seconds", "0.7", "-s", dnstest.Process(t, 64).String())
	w := r.Results.Wakes
	if len(w) != len(recvOutstanding()) || r.Results.Pair != nil || len(r.Results.Cells) != 0 {
		t.Fatalf("%d distributions, %d cells", len(w), len(r.Results.Cells))
	}
	for _, one := range w {
		sum, replies := 0.0, 0.0
		for _, c := range one.Replies {
			sum, replies = sum+c.P, replies+c.P*float64(c.K)
		}
		if math.Abs(sum-1) > 1e-9 || math.Abs(replies-one.Mean) > 1e-6*replies {
			t.Errorf("%d outstanding: probabilities sum up to %v, to %v replies a wake, not %v", one.Outstanding, sum, replies, one.Mean)
		}
		least := slices.MinFunc(one.Costs, func(a, b bufferCost) int { return int(math.Copysign(1, a.Cost-b.Cost)) })
		if least.Cost != one.BestCost || len(one.Costs) != 11 || one.Costs[10].Buffers != backend.MaxBatch {
			t.Errorf("%d outstanding: %d buffers at %v ns are best, of %v", one.Outstanding, one.Best, one.BestCost, one.Costs)
		}
		if one.OfferedCost > 2*one.BestCost {
			t.Errorf("%d outstanding: %.1f buffers offered cost %.1f ns a reply, %d cost %.1f", one.Outstanding, one.Offered, one.OfferedCost, one.Best, one.BestCost)
		}
	}
	if one := w[0]; one.Best != 2 || one.Offered > 2.1 || one.Mean < 0.95 || one.Mean > 1.05 {
		t.Errorf("one outstanding: %+v", one)
	}
}

// pairOf is a comparison of equal numbers of runs.
func pairOf(t *testing.T, user, system [2][]float64) *pairResult {
	t.Helper()
	p := &pairResult{Names: [2]string{"a", "b"}, Document: true, Samples: map[string][2]stat.Sample{}, Compared: map[string]stat.Comparison{}}
	for name, v := range map[string][2][]float64{"user": user, "system": system, "total": user} {
		p.Samples[name] = [2]stat.Sample{{Name: "a", Values: v[0]}, {Name: "b", Values: v[1]}}
	}
	if err := p.compare(); err != nil {
		t.Fatal(err)
	}
	return p
}

// The verdicts: proven either way, not proven, one run only.
func TestBenchRecvVerdicts(t *testing.T) {
	low, high := []float64{100, 101, 102, 103, 104, 105, 106, 107}, []float64{200, 201, 202, 203, 204, 205, 206, 207}
	mixed := []float64{101, 100, 103, 102, 105, 104, 107, 107}
	for _, tt := range []struct {
		user, system [2][]float64
		want         []string
	}{
		{[2][]float64{high, low}, [2][]float64{low, high}, []string{"as the document found", "as the document found"}},
		{[2][]float64{low, high}, [2][]float64{high, low}, []string{"this machine differs", "this machine differs"}},
		{[2][]float64{low, mixed}, [2][]float64{low, mixed}, []string{"no difference proven here; for one as large as the document's it would take some", "no difference"}},
		{[2][]float64{{1}, {2}}, [2][]float64{{1}, {2}}, nil},
	} {
		r := &recvResult{Pair: pairOf(t, tt.user, tt.system)}
		rows := r.Rows()
		if len(rows) != 1+len(tt.want) {
			t.Fatalf("rows: %q", rows)
		}
		for i, want := range tt.want {
			if !strings.Contains(rows[1+i].Here, want) || !strings.Contains(r.Text(), want) {
				t.Errorf("%q, want %q", rows[1+i].Here, want)
			}
		}
		if got := len(r.Plots()); got != 3 {
			t.Errorf("%d plots", got)
		}
	}
	rows := (&recvResult{Pair: pairOf(t, [2][]float64{high, low}, [2][]float64{low, high})}).Rows()
	if rows[1].Document != "-2.96 % ± 1.12" || rows[2].Document != "+1.68 % ± 1.21" || rows[0].Document != "1; 0" {
		t.Errorf("the document's figures: %q", rows)
	}
	one := documentTime{"user", -3, 1}
	p := pairOf(t, [2][]float64{low, mixed}, [2][]float64{low, mixed})
	c := p.Compared["user"]
	c.Student.PercentInterval = 30
	p.Compared["user"] = c
	if got := one.runs(p); got != 800 {
		t.Errorf("an interval ten times too wide with 8 runs: %v runs are enough, want 800", got)
	}
}

// A cell that this machine does not have is shown with the reason, and is no row of figures.
func TestBenchRecvUnavailable(t *testing.T) {
	c := cellResult{recvCell: recvCell{"edge", "uring", 2, 1}, Unavailable: "io_uring is forbidden"}
	c2 := c
	c2.Buffers = 16
	text := (&recvResult{Cells: []cellResult{c, c2}}).Text()
	if strings.Count(text, "io_uring is forbidden") != 1 || strings.Count(text, "–") != 10 || !strings.Contains(text, "edge/uring is not here: ") {
		t.Error(text)
	}
	absent := cellResult{recvCell: recvCell{"edge", "dpdk", 2, 1}}
	if err := absent.measure(lab.New(lab.Options{}, nil), dnstest.Nobody(t), 1); err != nil || absent.Unavailable == "" || absent.Queries != 0 {
		t.Errorf("%+v, %v", absent, err)
	}
	var r recvResult
	l := lab.New(lab.Options{Runs: 1}, nil)
	if err := r.comparePair(l, dnstest.Nobody(t), [2]recvCell{{"edge", "dpdk", 2, 1}, {"edge", "gso", 2, 1}}); err != nil || r.Pair != nil || len(l.Notes) != 1 {
		t.Errorf("%+v, %v, %q", r.Pair, err, l.Notes)
	}
}
