package main

import (
	"bytes"
	"fmt"
	"math"
	"net"
	"net/netip"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// openTestField opens antagonists that nobody floods.
func openTestField(t *testing.T, n int) *budgetField {
	t.Helper()
	f, err := openField(n)
	if err != nil {
		require.Skip(t, "%v", err)
	}
	t.Cleanup(f.close)
	return f
}

// Without the budget the loop stays with the flood for longer, so that the stream waits for longer. Each query is asked and counted once.
func TestBenchBudget(t *testing.T) {
	openTestField(t, 1)
	var r struct {
		Notes   []string
		Results budgetResult
	}
	text := benchFile(t, &r, "budget", "--runs", "2", "--seconds", "2.5", "--antagonists", "60", "--work", "4us", "--rate", "100", "-s", dnstest.Process(t, 1).String())
	text = bytes.Replace(text, []byte(`"notes": []`), []byte(`"notes": ["one"]`), 1) // a quiet machine has none
	checkSchema(t, "budget", text)
	off, on := r.Results.Sides[0], r.Results.Sides[1]
	if off.Name != "off" || on.Name != "on" || off.Latency.P50 <= on.Latency.P50 || off.Longest <= on.Longest || off.Turns >= on.Turns {
		t.Errorf("off %+v\non %+v", off, on)
	}
	for _, f := range r.Results.Sides {
		l := f.Latency
		if f.Queries != 100 || f.Lost != 0 || f.Flood <= 0 || f.Dropped == 0 || l.Min > l.P50 || l.P50 > l.P90 || l.P90 > l.P99 || l.P99 > l.Max {
			t.Errorf("%+v", f)
		}
	}
	if got, want := r.Results.P99Ratio, on.Latency.P99/off.Latency.P99; got != want {
		t.Errorf("ratio %v, want %v", got, want)
	}
	for _, name := range budgetSamples() {
		if c := r.Results.Compared[name]; c.Samples[0].N != 2 || c.Samples[1].N != 2 || c.Student.Level != 99.5 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// Each side takes what is in the queues in its own way: all of it in one call of a handler and one turn, or a batch a call until the time is spent.
func TestBudgetSides(t *testing.T) {
	const antagonists, each = 8, 3*floodBatch + 1 // queued
	for i, want := range []struct{ first, turns int }{{antagonists * each, 2}, {4 * floodBatch, antagonists * each / (4 * floodBatch)}} {
		side := budgetSides()[i]
		t.Run(side.name, func(t *testing.T) {
			f := openTestField(t, antagonists)
			for _, s := range f.sockets {
				fillQueue(t, s.LocalAddr(), each)
			}
			loop, err := ioevent.NewLoop(ioevent.Config{Mechanism: f.poller, Budget: side.budget})
			if err != nil {
				t.Fatal(err)
			}
			defer loop.Close()
			for _, s := range f.sockets {
				a := &antagonist{socket: s, batch: f.batch, loop: loop, naive: side.naive, work: 10_000, until: ioevent.Never} // 256 take 2.56 ms
				if err := loop.Watch(loop.Register(a), s.FD(), ioevent.Read); err != nil {
					t.Fatal(err)
				}
			}
			loop.Poll(ioevent.Now())
			if n := int(loop.Counters().Datagrams); n != want.first {
				t.Errorf("%d datagrams in the first turn, want %d", n, want.first)
			}
			for end := ioevent.Now() + 1e10; loop.Counters().Datagrams < antagonists*each && ioevent.Now() < end; {
				loop.Poll(ioevent.Now())
			}
			if n, turns := loop.Counters().Datagrams, int(loop.Counters().Turns); n != antagonists*each || turns < want.turns-1 && side.budget >= 0 {
				t.Errorf("%d datagrams in %d turns, want %d in %d or more", n, turns, antagonists*each, want.turns)
			}
		})
	}
}

// fillQueue sends n datagrams.
func fillQueue(t *testing.T, to netip.AddrPort, n int) {
	t.Helper()
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(to))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for range n {
		if _, err := c.Write([]byte("flood")); err != nil {
			t.Fatal(err)
		}
	}
}

// A naive handler whose flood never ends gives up when the run does.
func TestAntagonistEnds(t *testing.T) {
	f := openTestField(t, 1)
	loop, err := ioevent.NewLoop(ioevent.Config{Mechanism: f.poller, Budget: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer loop.Close()
	calls := 0
	a := &antagonist{socket: endless{f.sockets[0], &calls}, batch: f.batch, loop: loop, naive: true, until: ioevent.Now() + 1e6}
	if a.HandleEvent(ioevent.Event{}) || calls < 2 {
		t.Errorf("dry after %d receives", calls)
	}
	a.naive = false
	if calls = 0; a.HandleEvent(ioevent.Event{}) || calls != 1 {
		t.Errorf("%d receives in a call with the budget, want 1", calls)
	}
}

type endless struct {
	backend.Socket
	calls *int
}

func (s endless) Recv(batch []backend.Datagram) (int, bool, error) {
	*s.calls++
	return len(batch), false, nil
}

// What one turn takes that is longer than the whole run is in the figures.
func TestBudgetLongTurn(t *testing.T) {
	loop, err := ioevent.NewLoop(ioevent.Config{Budget: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer loop.Close()
	engine, err := resolver.NewEngine(resolver.Config{Servers: []resolver.Server{{Addr: dnstest.Process(t, 1)}}})
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	s := &budgetStream{loop: loop, engine: engine, names: newNames(10)}
	s.start(10*time.Millisecond, 5*time.Millisecond, 1000)
	long := timerFunc(func(ioevent.Time) {
		time.Sleep(20 * time.Millisecond)
		loop.Spent(7)
	})
	var timer ioevent.Timer
	timer.Init(long)
	loop.Start(&timer, s.begin-1e6)
	if err := loop.Run(s.tick); err != nil {
		t.Fatal(err)
	}
	if n := s.last.datagrams - s.first.datagrams; n != 7 || s.long < 20e6 || s.first.at > s.begin || s.last.at < s.end {
		t.Errorf("%d datagrams, longest turn %v, from %v to %v of a run from %v to %v", n, time.Duration(s.long), s.first.at, s.last.at, s.begin, s.end)
	}
}

// A flood sends as many as it may to the ports that it was given, and ends.
func TestFlood(t *testing.T) {
	var ports []string
	var conns []net.PacketConn
	for range 2 {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer pc.Close()
		conns = append(conns, pc)
		ports = append(ports, fmt.Sprint(pc.LocalAddr().(*net.UDPAddr).Port))
	}
	var out strings.Builder
	e := nowhere()
	e.stdout, e.stdin = &out, blocked(t)
	if code := run(e, []string{"bench", "flood", "--datagrams", "130", "--ports", strings.Join(ports, ",")}); code != exitOK || out.String() != "flooding 2 ports of 127.0.0.1\n130 datagrams\n" {
		t.Errorf("exit code %d, %q", code, out.String())
	}
	for i, want := range []int{64 + 2, 64} {
		n, buf := 0, make([]byte, 128)
		for ; conns[i].SetReadDeadline(time.Now().Add(50*time.Millisecond)) == nil; n++ {
			if size, _, err := conns[i].ReadFrom(buf); err != nil || size != floodOctets {
				break
			}
		}
		if n != want {
			t.Errorf("port %d got %d datagrams, want %d", i, n, want)
		}
	}
	out.Reset()
	e.stdin = strings.NewReader("")
	if code := run(e, []string{"bench", "flood", "--seconds", "300", "--ports", ports[0]}); code != exitOK {
		t.Errorf("with its input at the end: exit code %d", code)
	}
	e.stdin = blocked(t)
	if code := run(e, []string{"bench", "flood", "--seconds", "0.01", "--ports", ports[0]}); code != exitOK {
		t.Errorf("with its time over: exit code %d", code)
	}
}

// blocked is an input that does not end before the test.
func blocked(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		require.Skip(t, "no pipes: %v", err)
	}
	t.Cleanup(func() {
		w.Close()
		time.Sleep(time.Millisecond)
		r.Close()
	})
	return r
}

func TestLatencyOf(t *testing.T) {
	var values []float64
	for i := 200; i > 0; i-- {
		values = append(values, float64(i))
	}
	got := latencyOf(values)
	got.Stddev = math.Round(got.Stddev*1000) / 1000
	if want := (latency{1, 200, 100, 180, 198, 100.5, 57.879}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := latencyOf([]float64{3, 1, 2}), (latency{1, 3, 2, 3, 3, 2, 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := latencyOf([]float64{7}), (latency{7, 7, 7, 7, 7, 7, 0}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// fakeBudget is the result of two runs a side, with latencies in µs.
func fakeBudget(t *testing.T, l *lab.Lab, off, on []float64) *budgetResult {
	t.Helper()
	r := newBudgetResult(&benchBudget{rate: 50, work: time.Microsecond}, 200)
	for range 2 {
		for side, values := range [][]float64{off, on} {
			s := &budgetStream{asked: len(values), latencies: values, long: 5e6}
			s.first, s.last = floodMark{1e9, 0, 0, 0}, floodMark{2e9, 5e8, uint64(1000 * (side + 1)), 10}
			r.add(side, s, 5)
		}
	}
	if err := r.finish(l); err != nil {
		t.Fatal(err)
	}
	return r
}

// The document's table stands beside this machine's, and what could not be shown is said.
func TestBudgetResult(t *testing.T) {
	l := lab.New(lab.Options{}, nil)
	r := fakeBudget(t, l, []float64{20_000, 40_000}, []float64{2000, 6000})
	text := r.Text()
	for _, want := range []string{
		"P99           710000  69000  0.097       40000  6000  0.150\n", "MIN                –      –      –       20000  2000  0.100\n",
		"budget on: 4 queries, 0 lost; flood 2000 datagrams a second taken (4000 a second of processor time), 10 dropped by full queues; 10 turns a second, the longest 5.0 ms\n",
		"P99 of a run, µs\nx budget off\n+ budget on\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	rows := r.Rows()
	if want := (lab.Row{Question: "P99 of a query's latency, 200 antagonists, budget off and on", Document: "710000 → 69000 (× 0.097)", Here: "40.0 ms → 6.0 ms (× 0.150)"}); rows[1] != want {
		t.Errorf("%q, want %q", rows[1], want)
	}
	if want := (lab.Row{Question: "the flood's throughput, on against off", Document: "unchanged", Here: "+100.0 % ± 0.0; by processor time +100.0 % ± 0.0"}); rows[2] != want {
		t.Errorf("%q, want %q", rows[2], want)
	}
	if len(rows) != 3 || len(r.Plots()) != 2 || r.FloodRatio != 2 || r.P99Ratio != 0.15 {
		t.Errorf("%d rows, %d plots, %+v", len(rows), len(r.Plots()), r)
	}
	if len(l.Notes) != 1 || !strings.HasPrefix(l.Notes[0], "others used the client's processor") {
		t.Errorf("notes %q", l.Notes)
	}
	r = fakeBudget(t, l, []float64{2000, 4000}, []float64{2000, 6000})
	const none = "no starvation could be shown"
	if rows := r.Rows(); !strings.HasSuffix(rows[0].Here, none) || !strings.Contains(strings.Join(l.Notes, "\n"), none+": with 200 antagonists") {
		t.Errorf("%q, notes %q", rows[0], l.Notes)
	}
}

// Where there is no such loop, all forms of the result say why.
func TestBudgetUnavailable(t *testing.T) {
	r := &budgetResult{Antagonists: 200, Unavailable: "no descriptors\x1b"}
	rows := r.Rows()
	if len(rows) != 2 || rows[1].Here != `not measured: no descriptors\027` || r.Text() != `not measured: no descriptors\027`+"\n" || r.Plots() != nil {
		t.Errorf("%q, %q", rows, r.Text())
	}
}
