package main

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/nettest"
)

// atLeast waits until the count is n.
func atLeast(t *testing.T, what string, count func() uint64, n uint64) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); count() < n; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d %s, want %d", count(), what, n)
		}
	}
}

func has(r *result.Result, code string) bool {
	for _, x := range r.Reasons {
		if x.Code == code {
			return true
		}
	}
	return false
}

// TestLoadInterrupted interrupts the process: it ends at once with all it knows, and what it sent is what the server received.
func TestLoadInterrupted(t *testing.T) {
	for _, args := range [][]string{{"-q", "20"}, {"-Q", "1000", "--lag", "5"}, {"-q", "20", "-m", "tcp"}} {
		var received atomic.Uint64
		answer := dnstest.A("192.0.2.1")
		s := dnstest.Start(t, func(w *dnstest.Writer, q dnstest.Request) {
			if n := received.Add(1); n%100 != 0 {
				answer(w, q)
			}
		})
		l := loadProcess(t, append(args, "-s", s.Addr().String(), "-l", "60")...)
		atLeast(t, "queries", received.Load, 500)
		if err := l.cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		code, r := l.end(t, 10*time.Second)
		if code != exitOK || r == nil || r.Verdict != result.Valid || !has(r, result.CodeInterrupted) || !strings.Contains(l.says(), "Testing complete (interruption)") {
			t.Fatalf("%v: exit code %d, %+v:\n%s", args, code, r, l.says())
		}
		atLeast(t, "queries received of those sent", received.Load, r.Sent)
		if got := received.Load(); got != r.Sent || r.Interrupted == 0 {
			t.Errorf("%v: sent %d, %d of them interrupted; the server received %d", args, r.Sent, r.Interrupted, got)
		}
	}
}

// TestLoadLoss has a server lose every fifth query: those are lost as timeout, and it is no fault of the run.
func TestLoadLoss(t *testing.T) {
	var received, lost atomic.Uint64
	answer := dnstest.A("192.0.2.1")
	s := dnstest.Start(t, func(w *dnstest.Writer, q dnstest.Request) {
		if received.Add(1)%5 == 0 {
			lost.Add(1)
			return
		}
		answer(w, q)
	})
	code, r := loadProcess(t, "-s", s.Addr().String(), "-Q", "1000", "--count", "1000", "-t", "2", "--lag", "5").end(t, 60*time.Second)
	if r == nil || code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	if r.Sent != 1000 || received.Load() != 1000 || r.Lost != (result.Lost{Timeout: lost.Load()}) || lost.Load() != 200 || r.Verdict != result.Valid {
		t.Errorf("sent %d, received %d, lost %+v of %d; %s %+v", r.Sent, received.Load(), r.Lost, lost.Load(), r.Verdict, r.Reasons)
	}
}

// TestLoadOfNothing has no query to send.
func TestLoadOfNothing(t *testing.T) {
	s := dnstest.Start(t, dnstest.Silent)
	path := filepath.Join(t.TempDir(), "comments.txt")
	if err := os.WriteFile(path, []byte("; nothing\n# at all\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"-d", path}, {"-d", path, "-Q", "100", "-l", "60"}, {"-d", os.DevNull}, {"-d", "-"}} { // the standard input is at its end
		l := loadProcess(t, append(args, "-s", s.Addr().String())...)
		code, r := l.end(t, 10*time.Second)
		if said := l.err.String(); code != exitUsage || r != nil || l.out.Len() != 0 || !strings.Contains(said, "has no queries") || strings.Count(said, "\n") != 1 {
			t.Errorf("%v: exit code %d, want %d and a line about it:\n%s", args, code, exitUsage, l.says())
		}
	}
}

// TestLoadUnreachable has nobody answer, in each way there is: the run ends long before its time, says why, and counts each query as what became of it.
func TestLoadUnreachable(t *testing.T) {
	silent, nobody := dnstest.Start(t, dnstest.Silent), dnstest.Nobody(t)
	for _, tt := range []struct {
		name, server string
		here         bool // in the namespace
		args         []string
		lost         func(l *result.Lost) uint64
		says         string
	}{
		{"no way there", "198.51.100.1:53", true, nil, byICMP, "the network refused"},
		{"no way there over TCP", "198.51.100.1:53", true, []string{"-m", "tcp"}, byClosing, "on connections that failed"},
		{"no neighbour", "192.0.2.77:53", true, []string{"-t", "0.5"}, nil, "no server answered"},
		{"silent", silent.Addr().String(), false, []string{"-t", "0.5"}, byTimeout, "no server answered any of"},
		{"silent, at a rate", silent.Addr().String(), false, []string{"-t", "0.5", "-Q", "1000"}, byTimeout, "no server answered any of"},
		{"silent over TCP", silent.Addr().String(), false, []string{"-t", "0.5", "-m", "tcp"}, byTimeout, "no server answered any of"},
		{"a closed port", nobody.String(), false, nil, byICMP, "the network refused"},
		{"a closed port, at a rate", nobody.String(), false, []string{"-Q", "1000"}, byICMP, "the network refused"},
		{"a closed port over TCP", nobody.String(), false, []string{"-m", "tcp"}, byClosing, "on connections that failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // most of them wait
			if tt.here {
				nettest.Pair(t, false) // in it there is a way to the pair's network alone
			}
			began := time.Now()
			l := loadProcess(t, append(tt.args, "-s", tt.server, "-l", "60", "-q", "10")...)
			code, r := l.end(t, 20*time.Second)
			if code != exitNoReply || r == nil {
				t.Fatalf("exit code %d, want %d:\n%s", code, exitNoReply, l.says())
			}
			t.Logf("after %.1fs: sent %d, lost %+v, interrupted %d: %v", time.Since(began).Seconds(), r.Sent, r.Lost, r.Interrupted, r.Reasons)
			if r.Verdict != result.Invalid || !has(r, result.CodeUnreachable) || !strings.Contains(l.err.String(), tt.says) || strings.Count(l.err.String(), "\n") != 1 {
				t.Errorf("%s %+v, want unreachable and a line with %q:\n%s", r.Verdict, r.Reasons, tt.says, l.says())
			}
			if r.Sent == 0 || r.Completed != 0 || tt.lost != nil && tt.lost(&r.Lost) != r.Lost.Total() {
				t.Errorf("sent %d, completed %d, lost %+v", r.Sent, r.Completed, r.Lost)
			}
		})
	}
}

func byICMP(l *result.Lost) uint64    { return l.ICMP }
func byClosing(l *result.Lost) uint64 { return l.Closed }
func byTimeout(l *result.Lost) uint64 { return l.Timeout }

// TestLoadHungUp has a server close each connection after 128 queries: the run goes on on other ones, and what was on its way is lost as closed.
func TestLoadHungUp(t *testing.T) {
	const most, count = 128, 5000
	var mu sync.Mutex
	asked, answered := map[netip.AddrPort]int{}, uint64(0)
	answer := dnstest.A("192.0.2.1")
	s := dnstest.Start(t, func(w *dnstest.Writer, q dnstest.Request) {
		mu.Lock()
		defer mu.Unlock()
		if asked[q.From]++; asked[q.From] <= most && q.Question.Qtype == dns.TypeA {
			answered++
			answer(w, q)
		}
		if asked[q.From] == most {
			w.Close()
		}
	})
	l := loadProcess(t, "-s", s.Addr().String(), "-m", "tcp", "-c", "2", "-q", "20", "--count", "5000", "-t", "10")
	code, r := l.end(t, 60*time.Second)
	if code != exitOK || r == nil {
		t.Fatalf("exit code %d:\n%s", code, l.says())
	}
	mu.Lock()
	defer mu.Unlock()
	t.Logf("completed %d, lost %+v, %+v; the server answered %d on %d connections", r.Completed, r.Lost, r.Connections, answered, len(asked))
	if r.Sent != count || r.Completed != answered || r.Lost != (result.Lost{Closed: count - answered}) || r.Verdict != result.Valid {
		t.Errorf("sent %d, completed %d, lost %+v; the server answered %d; %s %+v", r.Sent, r.Completed, r.Lost, answered, r.Verdict, r.Reasons)
	}
	if r.Connections.Failed != 0 || r.Connections.Made < uint64(len(asked)) || r.Connections.Made > uint64(len(asked))+2 || len(asked) < int(answered)/most {
		t.Errorf("%+v; the server was asked on %d", r.Connections, len(asked))
	}
}
