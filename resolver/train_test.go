package resolver_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// recordingSocket notes the lengths of what is sent at once.
type recordingSocket struct {
	backend.Socket
	seen *[][]int
}

func (s *recordingSocket) Send(batch []backend.Datagram) (int, error) {
	var lengths []int
	for _, d := range batch {
		lengths = append(lengths, len(d.Data))
	}
	*s.seen = append(*s.seen, lengths)
	return s.Socket.Send(batch)
}

// TestEqualLengthsLeaveTogether: a backend finds them side by side, whatever the order they were submitted in.
func TestEqualLengthsLeaveTogether(t *testing.T) {
	inMemory(t, func(t *testing.T, w *world) {
		var seen [][]int
		open := w.config.Backend.Open
		w.config.Backend.Open = func(c backend.Config) (backend.Socket, error) {
			s, err := open(c)
			return &recordingSocket{s, &seen}, err
		}
		s := w.server(t, dnstest.A(rightAddr))
		e := w.engine(t, func(c *resolver.Config) { c.Ports.Fresh, c.Ports.Pool = 1, 1 }, s.Addr())
		b := newBatch(31, nil)
		for i := range b.queries {
			b.queries[i].Name = []string{"a.example", "bb.example", "ccc.example"}[i%3]
		}
		b.submit(t, e)
		e.Timeouts(0)
		most := slices.MaxFunc(seen, func(a, b []int) int { return len(a) - len(b) })
		if runs := slices.Compact(slices.Clone(most)); len(most) < 30 || len(runs) != 3 {
			t.Errorf("lengths sent at once: %v, want 30 of three", most)
		}
	})
}

// TestAllHearOfNobody: many queries leave at once, of three lengths, in trains where the backend has them. The kernel reports on a train once,
// with the octets of the first; none of them waits for its timeout.
func TestAllHearOfNobody(t *testing.T) {
	onLoopback(t, withTCP(func(t *testing.T, w *world) { // where there is no ICMP either
		r := w.resolver(t, func(c *resolver.Config) { c.Shards, c.Ports.Loopback, c.Tries, c.Timeout = 1, 1, 1, time.Minute }, w.nobody(t))
		b := newBatch(200, nil)
		for i := range b.queries {
			b.queries[i].Name = []string{"a.example", "bb.example", "ccc.example"}[i%3]
		}
		b.submit(t, r)
		b.wait(t)
		for i, err := range b.errs {
			if !errors.Is(err, backend.ErrRefused) {
				t.Fatalf("query %d: %v, want %v", i, err, backend.ErrRefused)
			}
		}
	}))
}
