package resolver_test

import (
	"errors"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// TestBusy: beyond MaxInFlight a submission is refused at once, with no Done; when a query is done there is room again.
func TestBusy(t *testing.T) {
	everywhere(t, hasty(func(t *testing.T, w *world) {
		const most = 5
		s := w.server(t, dnstest.Silent)
		r := w.resolver(t, func(c *resolver.Config) { oneSocket(c); c.MaxInFlight, c.Tries = most, 1 }, s.Addr())
		b := newBatch(most, nil)
		b.submit(t, r)
		refused := newBatch(1, nil)
		if err := r.Submit(&refused.queries[0]); !errors.Is(err, resolver.ErrBusy) {
			t.Errorf("submission %d: %v, want ErrBusy", most+1, err)
		}
		b.wait(t)
		if st := r.Stats(); refused.completed() != 0 || st.Busy != 1 || st.Submitted != most || st.InFlight != 0 {
			t.Errorf("refused query done %d times; stats %+v", refused.completed(), st)
		}
		refused.submit(t, r)
		refused.wait(t)
	}))
}

// TestRate: no more queries leave for a server than Config.Rate says, and others are not held up.
func TestRate(t *testing.T) {
	const n, rate = 20, 10
	inMemory(t, func(t *testing.T, w *world) {
		var mu sync.Mutex
		var at []time.Time
		slow := w.server(t, func(w *dnstest.Writer, q dnstest.Request) {
			mu.Lock()
			at = append(at, time.Now())
			mu.Unlock()
			good(w, q)
		})
		r := w.resolver(t, func(c *resolver.Config) { c.Rate = rate }, slow.Addr())
		b := newBatch(n, nil)
		watch := w.start()
		b.submit(t, r)
		quick := w.start()
		other := newBatch(1, nil)
		other.queries[0].Servers = []resolver.Server{{Addr: w.server(t, good).Addr()}}
		other.submit(t, r)
		for other.completed() == 0 && time.Since(quick.began) < time.Second {
			time.Sleep(time.Millisecond)
		}
		quick.lasted(t, time.Millisecond)
		for b.completed() < n && time.Since(watch.began) < time.Minute {
			time.Sleep(100 * time.Millisecond)
		}
		b.succeeded(t)
		if len(at) != n {
			t.Fatalf("%d queries came, want %d", len(at), n)
		}
		for i := 1; i < n; i++ {
			if gap := at[i].Sub(at[i-1]); gap != time.Second/rate {
				t.Errorf("query %d came %v after the one before, want %v", i+1, gap, time.Second/rate)
			}
		}
	})
}

// TestDeadlineWhileWaitingForItsTurn: what the rate or MaxPerServer holds back ends at its deadline too, and was never sent.
func TestDeadlineWhileWaitingForItsTurn(t *testing.T) {
	for name, change := range map[string]func(*resolver.Config){
		"rate": func(c *resolver.Config) { c.Rate = 0.01 }, "share": func(c *resolver.Config) { c.MaxPerServer = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			inMemory(t, func(t *testing.T, w *world) {
				s := w.server(t, dnstest.Silent)
				r := w.resolver(t, change, s.Addr())
				b := newBatch(10, nil)
				for i := range b.queries {
					b.queries[i].Deadline = ioevent.Now() + ioevent.Time(time.Second)
				}
				b.submit(t, r)
				time.Sleep(time.Second - 1)
				if n := b.completed(); n != 0 {
					t.Errorf("%d queries were done before the deadline", n)
				}
				time.Sleep(2 * time.Nanosecond)
				b.once(t)
				for _, err := range b.errs {
					isTimeout(t, err)
				}
				if n := s.Counts().UDP; n != 1 {
					t.Errorf("%d queries were sent, want 1", n)
				}
			})
		})
	}
}

// TestShareOfAServer: a dead server holds MaxPerServer places on the wire, and the queries for others go on.
func TestShareOfAServer(t *testing.T) {
	everywhere(t, func(t *testing.T, w *world) {
		const share, dead, live = 4, 100, 50
		silent, quick := w.server(t, dnstest.Silent), w.server(t, good)
		w.config.Timeout = 5 * time.Second
		r := w.resolver(t, func(c *resolver.Config) { oneSocket(c); c.MaxPerServer = share })
		stuck, served := newBatch(dead, nil), newBatch(live, nil)
		for i := range stuck.queries {
			stuck.queries[i].Servers = []resolver.Server{{Addr: silent.Addr()}}
		}
		for i := range served.queries {
			served.queries[i].Servers = []resolver.Server{{Addr: quick.Addr()}}
		}
		stuck.submit(t, r)
		served.submit(t, r)
		served.wait(t)
		if n := silent.Counts().UDP; n != share || stuck.completed() != 0 {
			t.Errorf("the dead server was sent %d queries, want %d; %d of them done", n, share, stuck.completed())
		}
		r.Close()
		stuck.once(t)
		for _, err := range stuck.errs {
			if !errors.Is(err, resolver.ErrClosed) {
				t.Fatalf("error %v, want ErrClosed", err)
			}
		}
	})
}

// TestConfigSaysWhatIsWrong: the error names the field.
func TestConfigSaysWhatIsWrong(t *testing.T) {
	for field, change := range map[string]func(*resolver.Config){
		"Timeout":                  func(c *resolver.Config) { c.Timeout = -1 },
		"Tries":                    func(c *resolver.Config) { c.Tries = 101 },
		"MaxInFlight":              func(c *resolver.Config) { c.MaxInFlight = -1 },
		"Rate":                     func(c *resolver.Config) { c.Rate = -0.5 },
		"Shards":                   func(c *resolver.Config) { c.Shards = 17 },
		"Socket.Batch":             func(c *resolver.Config) { c.Socket.Batch = 1025 },
		"TCP.Conns":                func(c *resolver.Config) { c.TCP.Conns = -1 },
		"TCP.Together":             func(c *resolver.Config) { c.TCP.Together = -1 },
		"TCP.Queries":              func(c *resolver.Config) { c.TCP.Queries = -1 },
		"TCP.Outstanding is -1":    func(c *resolver.Config) { c.TCP.Outstanding = -1 },
		"TCP.Outstanding is 49153": func(c *resolver.Config) { c.TCP.Outstanding = 49153 },
		"Servers[1]": func(c *resolver.Config) {
			c.Servers = []resolver.Server{{Addr: netip.MustParseAddrPort("192.0.2.1:53")}, {}}
		},
	} {
		var c resolver.Config
		change(&c)
		if r, err := resolver.New(c); err == nil || !strings.Contains(err.Error(), "Config."+field) {
			t.Errorf("New with a wrong %s = %v, %v", field, r, err)
		}
	}
}
