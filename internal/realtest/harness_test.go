package realtest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/realtest"
	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/resolver"
)

const (
	udpSize    = 1232
	chunk      = 500 // questions that a client and dig are asked in turn: TTLs run down meanwhile
	chunks     = 2   // at the same time
	inFlight   = 64  // questions of a chunk; more would overrun a server's receive buffer
	mismatches = 10  // are shown
)

// client asks one question, over TCP where the question's flags say so.
type client func(ctx context.Context, q realtest.Question) (realtest.Outcome, error)

// zones makes the zones out of the Public Suffix List.
func zones(t *testing.T) ([]realtest.Zone, *dns.DS) {
	t.Helper()
	list, err := os.Open(realtest.SuffixFile)
	if err != nil {
		require.Skip(t, "there is no Public Suffix List (Debian package publicsuffix): %v", err)
	}
	defer list.Close()
	zones, anchor, err := realtest.Zones(list)
	if err != nil {
		t.Fatal(err)
	}
	return zones, anchor
}

// eachServer runs a test against each server, over each transport.
func eachServer(t *testing.T, n int, newClient func(t *testing.T, s *realtest.Server) client) {
	zones, anchor := zones(t)
	path := realtest.Find(t, "dig", "bind9-dnsutils")
	questions := realtest.Questions(zones, n)
	for _, s := range realtest.List() {
		t.Run(s.Name, func(t *testing.T) {
			server := realtest.Start(t, s, zones, anchor)
			dig := realtest.Dig{Path: path, Server: server.Addr, UDPSize: udpSize}
			if server.Caching {
				warm(t, dig, questions)
			}
			t.Run("udp", func(t *testing.T) {
				compareAll(t, newClient(t, server), dig, questions, server.Caching)
			})
			t.Run("tcp", func(t *testing.T) {
				dig.TCP = true
				compareAll(t, newClient(t, server), dig, overTCP(questions), server.Caching)
			})
			if t.Failed() {
				t.Logf("%s's log:\n%s", s.Name, server.Log())
			}
		})
	}
}

// warm fills a cache, for what Unbound answers depends on it: it gives up
// on a long chain of aliases, and gets further the next time.
func warm(t *testing.T, dig realtest.Dig, questions []realtest.Question) {
	t.Helper()
	if _, err := dig.Ask(t.Context(), questions); err != nil {
		t.Fatal(err)
	}
}

// overTCP returns the questions as they are asked over TCP.
func overTCP(questions []realtest.Question) []realtest.Question {
	qs := slices.Clone(questions)
	for i := range qs {
		qs[i].Flags |= resolver.OverTCP
	}
	return qs
}

// compareAll asks both the client and dig all the questions, chunk by chunk.
func compareAll(t *testing.T, ask client, dig realtest.Dig, questions []realtest.Question, caching bool) {
	var report report
	var wg sync.WaitGroup
	work := make(chan []realtest.Question)
	for range chunks {
		wg.Go(func() {
			for qs := range work {
				report.add(compareChunk(t.Context(), ask, dig, qs, caching))
			}
		})
	}
	for rest := questions; len(rest) > 0; rest = rest[min(chunk, len(rest)):] {
		work <- rest[:min(chunk, len(rest))]
	}
	close(work)
	wg.Wait()
	report.check(t, len(questions))
}

// compareChunk returns how many questions were answered and equal to dig's, and
// what was wrong with each of the others.
func compareChunk(ctx context.Context, ask client, dig realtest.Dig, qs []realtest.Question, caching bool) (equal int, wrong []error) {
	start := time.Now()
	got, errs := askAll(ctx, ask, qs)
	want, err := dig.Ask(ctx, qs)
	if err != nil {
		return 0, []error{err}
	}
	var slack uint32
	if caching { // a second begun is a TTL one less
		slack = 1 + uint32(time.Since(start)/time.Second)
	}
	for i, q := range qs {
		diff := realtest.Diff(got[i], want[i], slack) + q.Unexpected(want[i])
		if errs[i] == nil && diff != "" {
			errs[i] = errors.New(diff)
		}
		if errs[i] != nil {
			wrong = append(wrong, fmt.Errorf("%s TYPE%d flags %#x: %w", q.Name, q.Type, q.Flags, errs[i]))
		}
	}
	return len(qs) - len(wrong), wrong
}

// askAll asks a client all the questions, inFlight at a time.
func askAll(ctx context.Context, ask client, qs []realtest.Question) ([]realtest.Outcome, []error) {
	outcomes, errs := make([]realtest.Outcome, len(qs)), make([]error, len(qs))
	var wg sync.WaitGroup
	for first := range inFlight {
		wg.Go(func() {
			for i := first; i < len(qs); i += inFlight {
				outcomes[i], errs[i] = ask(ctx, qs[i])
			}
		})
	}
	wg.Wait()
	return outcomes, errs
}

// report adds up what the chunks came to.
type report struct {
	mu    sync.Mutex
	equal int
	wrong []error
}

func (r *report) add(equal int, wrong []error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.equal += equal
	r.wrong = append(r.wrong, wrong...)
}

func (r *report) check(t *testing.T, want int) {
	t.Helper()
	t.Logf("%d of %d questions answered as dig was", r.equal, want)
	for _, err := range r.wrong[:min(mismatches, len(r.wrong))] {
		t.Error(err)
	}
	if r.equal != want {
		t.Errorf("%d questions of %d were answered as dig was", r.equal, want)
	}
}
