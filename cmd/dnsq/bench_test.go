package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/dnstest"
)

// bench runs "bench engine" with args and returns what it printed, by key, and the keys in their order.
func bench(t *testing.T, server netip.AddrPort, args ...string) (got map[string]string, keys []string) {
	t.Helper()
	var out, errs bytes.Buffer
	e := nowhere()
	e.stdout, e.stderr = &out, &errs
	if code := run(e, append([]string{"bench", "engine", "-s", server.String()}, args...)); code != exitOK || errs.Len() > 0 {
		t.Fatalf("%q: exit code %d, %s", args, code, errs.String())
	}
	got = map[string]string{}
	for _, pair := range strings.Fields(out.String()) {
		key, value, _ := strings.Cut(pair, "=")
		got[key] = value
		keys = append(keys, key)
	}
	return got, keys
}

func number64(t *testing.T, got map[string]string, key string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(got[key], 64)
	if err != nil {
		t.Fatalf("%s=%s: %v", key, got[key], err)
	}
	return x
}

// The keys that others read, in the text and in the file.
func TestBenchKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figures.json")
	got, keys := bench(t, dnstest.Start(t, dnstest.A("192.0.2.1")).Addr(), "-n", "50", "--outstanding", "3", "--json", file)
	want := strings.Fields(`bench api backend poller shards sockets outstanding n more qps cpu_ns user_ns sys_ns syscalls wakes
		empty_receives allocs clock_reads timed_waits p50_us p90_us p99_us lost timeouts heap_bytes`)
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]any{}
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	inFile := map[string]string{}
	for key, v := range values {
		switch v := v.(type) {
		case string:
			inFile[key] = v
		case float64:
			inFile[key] = strings.TrimSpace(string(must(json.Marshal(v))))
			if number64(t, got, key) == v {
				inFile[key] = got[key] // 1.50 is 1.5
			}
		}
	}
	if diff := cmp.Diff(got, inFile); diff != "" {
		t.Errorf("file (-printed +file):\n%s", diff)
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// Every way in asks for as many names as it says, each once, and measures something plausible.
func TestBenchAgreesWithServer(t *testing.T) {
	for _, a := range apis() {
		t.Run(a.name, func(t *testing.T) {
			s := dnstest.Start(t, dnstest.A("192.0.2.1"))
			got, _ := bench(t, s.Addr(), "-n", "500", "--outstanding", "7", "--api", a.name, "--sockets", "2")
			seen := s.Counts().UDP
			if want := number64(t, got, "n") + number64(t, got, "more"); float64(seen) != want || seen != 1007 || a.name == "engine" && got["n"] != "500" {
				t.Errorf("the server saw %d queries; want %v of %v", seen, want, got)
			}
			names := map[string]bool{}
			ports := map[uint16]bool{}
			for _, q := range s.Queries() {
				names[q.Question.Name] = true
				ports[q.From.Port()] = true
			}
			if len(names) != 1007 || !names["h1000000.example.com."] || !names["h1001006.example.com."] {
				t.Errorf("%d names in 500 + 500 + 7 queries", len(names))
			}
			if strconv.Itoa(len(ports)) != got["sockets"] || len(ports) > 2 {
				t.Errorf("%d ports, %s sockets; want at most 2", len(ports), got["sockets"])
			}
			for _, key := range []string{"qps", "syscalls", "clock_reads", "p50_us", "heap_bytes"} {
				if number64(t, got, key) <= 0 && !(key == "syscalls" && got["backend"] == "net") {
					t.Errorf("%s=%s, want more than nothing", key, got[key])
				}
			}
			if p50, p90, p99 := number64(t, got, "p50_us"), number64(t, got, "p90_us"), number64(t, got, "p99_us"); p50 > p90 || p90 > p99 || p99 > 5e6 {
				t.Errorf("percentiles 50, 90, 99: %v, %v, %v", p50, p90, p99)
			}
		})
	}
}

// A reply that was lost is counted, and asked for again.
func TestBenchTimeouts(t *testing.T) {
	lose := dnstest.Seq(dnstest.Silent, dnstest.A("192.0.2.1"))
	h := dnstest.Each(map[string]dnstest.Handler{"h1000150.example.com.": lose, "": dnstest.A("192.0.2.1")})
	got, _ := bench(t, dnstest.Start(t, h).Addr(), "-n", "100", "--outstanding", "1", "--timeout", "300ms")
	if got["timeouts"] != "1" || got["lost"] != "0" || number64(t, got, "p99_us") > 2.5e6 {
		t.Errorf("timeouts=%s lost=%s p99_us=%s", got["timeouts"], got["lost"], got["p99_us"])
	}
}

// The bench itself allocates nothing for a query where the library does not.
func TestAllocsBench(t *testing.T) {
	for _, name := range []string{"engine", "submit"} {
		got, _ := bench(t, dnstest.Process(t, 64), "-n", "20000", "--outstanding", "100", "--api", name)
		if raceDetector {
			t.Log("the race detector allocates: counted without it")
		} else if x := number64(t, got, "allocs"); x > 0.002 {
			t.Errorf("%s: %v allocations a query, want 0", name, x)
		}
	}
}

// The time that is over ends a bench early, and it says so.
func TestBenchTime(t *testing.T) {
	var out, errs strings.Builder
	e := nowhere()
	e.stdout, e.stderr = &out, &errs
	code := run(e, []string{"bench", "engine", "-s", "@self", "-n", "100000000", "--outstanding", "2", "--time", "300ms"})
	if code != exitOK || !strings.HasPrefix(out.String(), "bench=engine ") || !strings.Contains(errs.String(), "--time 300ms was over after ") {
		t.Errorf("exit code %d, %q, %q", code, out.String(), errs.String())
	}
}

func TestWork(t *testing.T) {
	var marks []string
	mark := func(name string) func() { return func() { marks = append(marks, name) } }
	w := &work{names: newNames(3), warm: 2, count: 2, tail: 1, trips: trips{hist: newTrips()}, half: mark("half"), begin: mark("begin"), finish: mark("finish")}
	var got []string
	for name, ok := w.take(); ok; name, ok = w.take() {
		got = append(got, name)
		w.end(time.Hour, map[bool]error{true: errors.New("lost")}[len(got) == 3])
		marks = append(marks, fmt.Sprint(len(got)))
	}
	want := []string{"h1000000.example.com", "h1000001.example.com", "h1000002.example.com", "h1000000.example.com", "h1000001.example.com"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(strings.Fields("half 1 begin 2 3 finish 4 5"), marks); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
	if at := w.trips.at(50); at < 59e6 || at > 61e6 {
		t.Errorf("the longest trip is %v µs, want 60 s", at)
	}
	if w.lost != 1 || w.ended != 5 || w.trips.hist.TotalCount() != 1 {
		t.Errorf("%d lost of %d, %d times; want 1 of 5, 1", w.lost, w.ended, w.trips.hist.TotalCount())
	}
	w.taken = 0
	w.stop.Store(true)
	if name, ok := w.take(); ok {
		t.Errorf("%s after the stop", name)
	}
}

// Runs of equal times count as often as they came.
func TestTrips(t *testing.T) {
	l := trips{hist: newTrips()}
	for _, us := range []time.Duration{5, 5, 5, 7, 9, 9, 5} {
		l.add(us * time.Microsecond)
	}
	got := fmt.Sprintf("%.1f %.1f %.1f", l.at(50), l.at(70), l.at(99))
	if n := l.hist.TotalCount(); n != 7 || got != "5.0 7.0 9.0" {
		t.Errorf("%d times, percentiles 50, 70, 99: %s; want 7 and 5.0 7.0 9.0", n, got)
	}
}

// More in flight than are begun at once: every way in gets there, and to its end, whether or not there is a server.
func TestBenchManyOutstanding(t *testing.T) {
	here, nobody := dnstest.Hold(t, 64), dnstest.Nobody(t)
	for _, a := range apis() {
		t.Run(a.name, func(t *testing.T) {
			args := []string{"-n", "10000", "--outstanding", "5000", "--api", a.name}
			if a.name != "engine" {
				args = append(args, "--shards", "2")
			}
			got, _ := bench(t, here, args...)
			if sum := number64(t, got, "n") + number64(t, got, "more"); sum != 25_000 || got["lost"] != "0" || a.name == "engine" && got["n"] != "10000" {
				t.Errorf("n=%s more=%s lost=%s", got["n"], got["more"], got["lost"])
			}
			if code := run(nowhere(), []string{"bench", "engine", "-s", nobody.String(), "--outstanding", "5000", "--api", a.name}); code != exitNoReply {
				t.Errorf("without a server: exit code %d, want %d", code, exitNoReply)
			}
		})
	}
}
