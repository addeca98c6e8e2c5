package main

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/require"
)

func TestMain(m *testing.M) { require.NoLeaks(m) }

// quiet keeps what package flag writes of wrong flags out of the test's output.
func quiet(t *testing.T) {
	t.Helper()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = null
	t.Cleanup(func() { os.Stderr = stderr; null.Close() })
}

func TestParse(t *testing.T) {
	o, err := parse([]string{"--runs", "2", "--outstanding", "1,7", "--api", "submit", "--with", "mine=prog --n={n} {port}"})
	if err != nil {
		t.Fatal(err)
	}
	if o.runs != 2 || !slices.Equal(o.outstanding, []int{1, 7}) || !slices.Equal(o.responders, []string{"plain", "gso"}) {
		t.Errorf("%+v", o)
	}
	var labels []string
	for _, c := range clients(o) {
		labels = append(labels, c.label)
	}
	want := []string{"floor mmsg", "floor gso", "dnsq submit", "dnsq, 64 sockets", "udns", "c-ares", "miekg/dns", "net.Resolver", "mine"}
	if diff := cmp.Diff(want, labels); diff != "" {
		t.Errorf("clients (-want +got):\n%s", diff)
	}
	mine := clients(o)[len(want)-1]
	if got := mine.args(&tools{}, 53, 4, 1); !slices.Equal(got, []string{"prog", "--n=4", "53"}) {
		t.Errorf("%q", got)
	}
	floor := clients(o)[1]
	if got := floor.args(&tools{dir: "d"}, 53, 4, 9); !slices.Equal(got, []string{(&tools{dir: "d"}).path("floor"), "53", "4", "9", "gso"}) {
		t.Errorf("%q", got)
	}
	quiet(t)
	for _, args := range [][]string{{"x"}, {"--runs", "0"}, {"--queries", "99"}, {"--outstanding", "0"}, {"--outstanding", "1,"}, {"--with", "x"}} {
		if _, err := parse(args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

func TestQueries(t *testing.T) {
	for _, tt := range []struct{ share, most, outstanding, want int }{
		{1, 1000, 64, 1000}, {3, 1000, 64, 333}, {1, 1000, 1, 100}, {10, 1000, 1, 50}, {10, 1000, 64, 128},
	} {
		if got := (&client{share: tt.share}).queries(tt.most, tt.outstanding); got != tt.want {
			t.Errorf("%+v: got %d", tt, got)
		}
	}
}

func TestSockets(t *testing.T) {
	for _, tt := range []struct{ outstanding, want int }{{1, 1}, {mostOnSocket, 1}, {100_000, 16}, {1_000_000, 32}} {
		if got := sockets(tt.outstanding); got != tt.want {
			t.Errorf("%d outstanding: %d sockets, want %d", tt.outstanding, got, tt.want)
		}
	}
}

func TestResponder(t *testing.T) {
	built := &tools{has: map[string]bool{"reflect": true}}
	for _, tt := range []struct {
		t           *tools
		kind        string
		outstanding int
		want        string
	}{
		{&tools{}, "gso", 1, "dnsq reflect --no-tcp --listen 127.0.0.1:53"},
		{built, "plain", 1, "reflect 53 plain"},
		{built, "held", 1000, "reflect 53 gso 500"},
		{built, "held", 100_000, "reflect 53 gso 98976"},
		{built, "held", 20, "reflect 53 gso 0"},
	} {
		if got := strings.Join(responder(tt.t, tt.kind, 53, tt.outstanding), " "); got != tt.want {
			t.Errorf("%s, %d outstanding: %s, want %s", tt.kind, tt.outstanding, got, tt.want)
		}
	}
}

// A program that does not start is named with what it said.
func TestStartServer(t *testing.T) {
	tries := 0
	_, err := startServer(func(port int) []string {
		tries++
		return []string{"no-such-program", strconv.Itoa(port)}
	})
	if err == nil || !strings.Contains(err.Error(), "no-such-program") || tries != startTries {
		t.Errorf("%d tries: %v", tries, err)
	}
}

func TestRead(t *testing.T) {
	got := read("bench=engine n=5 cpu_ns=12.5 addr=127.0.0.1:53 word p50_us=-1\n")
	if diff := cmp.Diff(result{"n": 5, "cpu_ns": 12.5, "p50_us": -1}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{{[]float64{3}, 3}, {[]float64{9, 1, 2}, 2}, {[]float64{4, 1, 2, 9}, 3}} {
		var runs []result
		for _, x := range tt.values {
			runs = append(runs, result{"x": x})
		}
		if got := median(runs, "x"); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.values, got, tt.want)
		}
	}
	if got := median([]result{{"y": 1}}, "x"); !math.IsNaN(got) {
		t.Errorf("of nothing: %v", got)
	}
}

func TestPrintRows(t *testing.T) {
	list := []client{{label: "floor mmsg"}, {label: "ours"}, {label: "theirs"}}
	var b strings.Builder
	printHead(&b)
	printRows(&b, "plain", 64, list, [][]result{{{"cpu_ns": 200, "qps": 5}}, {{"cpu_ns": 100, "p50_us": 1.25, "lost": 0}, {"cpu_ns": 300}}, nil})
	want := `| responder | outstanding | client | cpu_ns | of floor mmsg | of floor gso | qps | p50_us | lost |
|---|---|---|---|---|---|---|---|---|
| plain | 64 | floor mmsg | 200 | 1.00 | – | 5 | – | – |
| plain | 64 | ours | 200 | 1.00 | – | – | 1.2 | 0 |
| plain | 64 | theirs | – | – | – | – | – | – |
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
