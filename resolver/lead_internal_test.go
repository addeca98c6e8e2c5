package resolver

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dnsq/dnsq/backend/backendtest"
	"github.com/dnsq/dnsq/internal/wire"
	"github.com/dnsq/dnsq/ioevent"
)

// company is a resolver of one shard in a bubble, with a server that answers after a while, or never where that is 0, and a record of which goroutines the
// engine ran on.
type company struct {
	*Resolver
	t  *testing.T
	mu sync.Mutex
	on map[[32]byte]int // waiters finished, by goroutine
}

func inCompany(t *testing.T, after time.Duration, f func(c *company)) {
	synctest.Test(t, func(t *testing.T) {
		n := backendtest.NewNetwork()
		defer n.Close()
		poller, err := ioevent.Named("chan")
		if err != nil {
			t.Fatal(err)
		}
		at := netip.MustParseAddrPort("192.0.2.1:53")
		serve(t, n, at, after)
		r, err := New(Config{Backend: n.Backend(), Poller: poller, Shards: 1, Servers: []Server{{Addr: at}}})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		c := &company{Resolver: r, t: t, on: make(map[[32]byte]int)}
		r.waiters.New = func() any {
			w := newWaiter()
			w.q.Done = func(q *Query, r *Reply, err error) {
				c.mu.Lock()
				c.on[goroutineLabel()]++
				c.mu.Unlock()
				w.finish(q, r, err)
			}
			return w
		}
		f(c)
	})
}

// serve answers each query with its header and question and NXDOMAIN, after a while.
func serve(t *testing.T, n *backendtest.Network, at netip.AddrPort, after time.Duration) {
	pc, err := n.ListenPacket(at)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for buf := make([]byte, 512); ; {
			k, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			if after == 0 {
				continue
			}
			end, _ := wire.QuestionEnd(buf[:k])
			reply := append([]byte(nil), buf[:end]...)
			reply[2], reply[3], reply[11] = reply[2]|0x80, 0x83, 0
			time.AfterFunc(after, func() { pc.WriteTo(reply, from) })
		}
	}()
	t.Cleanup(func() { pc.Close(); <-ended })
}

func (c *company) exchange(ctx context.Context) error {
	_, err := c.Exchange(ctx, Question{Name: "www.example.com", Type: typeA})
	return err
}

// lone asks n times, one after the other, and returns how many waiters finished on this goroutine and how many on the shard's.
func (c *company) lone(n int, ask func() error) (here, there int) {
	c.mu.Lock()
	clear(c.on)
	c.mu.Unlock()
	for range n {
		if err := ask(); err != nil && !errors.Is(err, ErrNotFound) {
			c.t.Error(err)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.on[goroutineLabel()], c.on[c.shards[0].goroutine]
}

// TestLoneCallerTurns: a blocking call with nobody else about runs on its caller's goroutine alone.
func TestLoneCallerTurns(t *testing.T) {
	const n = 50
	inCompany(t, time.Millisecond, func(c *company) {
		ctx, cancel := context.WithTimeout(c.t.Context(), time.Hour)
		defer cancel()
		for name, a := range map[string]struct {
			ask     func() error
			waiters int
		}{
			"exchange":              {func() error { return c.exchange(context.Background()) }, 1},
			"exchange in a context": {func() error { return c.exchange(ctx) }, 1},
			"lookup":                {func() error { _, err := c.LookupNetIP(ctx, "ip", "www.example.com"); return err }, 2},
		} {
			if here, there := c.lone(n, a.ask); here != n*a.waiters || there != 0 {
				t.Errorf("%s: %d waiters finished on the caller's goroutine and %d on the shard's, want %d and 0", name, here, there, n*a.waiters)
			}
		}
	})
}

// ringer notes when it expires.
type ringer struct {
	timer ioevent.Timer
	at    Time
}

func (r *ringer) Expire(now Time) { r.at = now }

// TestTimersDoNotKeepTheTurn: while nothing but timers runs, as those of idle connections, lone callers go on turning, and each timer is seen to when it is due.
func TestTimersDoNotKeepTheTurn(t *testing.T) {
	inCompany(t, time.Millisecond, func(c *company) {
		s := c.shards[0]
		began := ioevent.Now()
		const second = Time(time.Second)
		ringers := make([]ringer, 3)
		due := []Time{began + 20*second, began + 10*second, began + 30*second} // the second brings the alarm forward
		for i := range ringers {
			set := make(chan struct{})
			s.do(func() {
				ringers[i].timer.Init(&ringers[i])
				s.engine.loop.Start(&ringers[i].timer, due[i])
				close(set)
			})
			<-set
			synctest.Wait()
		}
		for until := range 4 { // before the first, and after each
			if here, there := c.lone(20, func() error { return c.exchange(context.Background()) }); here != 20 || there != 0 {
				t.Errorf("after %d s: %d waiters finished on the caller's goroutine and %d on the shard's, want 20 and 0", until*10, here, there)
			}
			time.Sleep(time.Duration(began + Time(until+1)*10*second + second - ioevent.Now()))
			synctest.Wait()
		}
		for i := range ringers {
			if late := ringers[i].at - due[i]; late < 0 || late > Time(time.Millisecond) {
				t.Errorf("timer %d came %v after it was due", i, time.Duration(late))
			}
		}
	})
}

// TestCrowdIsTheShards: with other traffic the shard's goroutine turns, and goes on a while after that.
func TestCrowdIsTheShards(t *testing.T) {
	for name, join := range map[string]func(c *company){
		"exchange": func(c *company) { go c.exchange(context.Background()) },
		"submit": func(c *company) {
			q := &Query{Question: Question{Name: "www.example.com", Type: typeA}}
			q.Done = func(*Query, *Reply, error) {
				if goroutineLabel() != c.shards[0].goroutine {
					t.Error("Done was not called on the shard's goroutine")
				}
			}
			if err := c.Submit(q); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inCompany(t, time.Second, func(c *company) {
				time.AfterFunc(time.Second/2, func() { join(c) })
				if here, there := c.lone(1, func() error { return c.exchange(context.Background()) }); here != 0 || there == 0 {
					t.Errorf("with others %d and %d waiters finished on the caller's and the shard's goroutine, want 0 and 1", here, there)
				}
				time.Sleep(time.Second)
				here, there := c.lone(2*crowd, func() error { return c.exchange(context.Background()) })
				if here < crowd/2 || there < crowd/2 || here+there != 2*crowd {
					t.Errorf("alone again %d and %d waiters finished there, want some %d each", here, there, crowd)
				}
			})
		})
	}
}

// TestCrowdAnsweredAtOnce: callers whose answers all came in one wake are a crowd still, though nothing is in flight: they are about to call again. With one
// processor, one that led would keep the others from calling.
func TestCrowdAnsweredAtOnce(t *testing.T) {
	inCompany(t, time.Millisecond, func(c *company) {
		s := c.shards[0]
		for callers, want := range map[int32]bool{0: true, 1: true, 2: false, 64: false} {
			done := make(chan struct{})
			s.do(func() {
				defer close(done)
				s.callers.Store(callers)
				s.stay = 0
				if over := s.over(); over != want || !want && s.stay != crowd {
					t.Errorf("%d callers: the shard's goroutine gives up: %v, want %v; it stays %d times", callers, over, want, s.stay)
				}
				s.callers.Store(0)
			})
			<-done
		}
		s.callers.Store(1)
		if _, leads := c.seat(); leads {
			t.Error("one leads beside another caller")
		}
		s.callers.Store(0)
		for range 100 {
			c.exchange(context.Background())
			if _, err := c.LookupNetIP(context.Background(), "ip", "www.example.com"); !errors.Is(err, ErrNotFound) {
				t.Error(err)
			}
		}
		if n := s.callers.Load(); n != 0 {
			t.Errorf("%d callers are counted when none is left", n)
		}
	})
}

// TestLeaderIsInterrupted: by its context, by Close, by a call for Stats; it returns at once, or goes on as if nothing had been.
func TestLeaderIsInterrupted(t *testing.T) {
	for name, tt := range map[string]struct {
		interrupt func(c *company, cancel func())
		want      error
		after     time.Duration
	}{
		"context": {func(_ *company, cancel func()) { cancel() }, ErrCanceled, time.Second},
		"close":   {func(c *company, _ func()) { c.Close() }, ErrClosed, time.Second},
		"stats": {func(c *company, _ func()) {
			if n := c.Stats().InFlight; n != 1 {
				t.Errorf("%d in flight, want 1", n)
			}
		}, ErrTimeout, 6 * time.Second},
		"nobody": {func(*company, func()) {}, ErrTimeout, 6 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inCompany(t, 0, func(c *company) {
				ctx, cancel := context.WithCancel(c.t.Context())
				defer cancel()
				time.AfterFunc(time.Second, func() { tt.interrupt(c, cancel) })
				began := time.Now()
				err := c.exchange(ctx)
				if took := time.Since(began); !errors.Is(err, tt.want) || took != tt.after {
					t.Errorf("%v after %v, want %v after %v", err, took, tt.want, tt.after)
				}
			})
		})
	}
}

// TestLeaderThatPanics: what a panic on the leader's goroutine leaves is the shard's goroutine's, so that the shard goes on where the caller recovers.
func TestLeaderThatPanics(t *testing.T) {
	inCompany(t, time.Millisecond, func(c *company) {
		func() {
			defer func() { _ = recover() }()
			c.exchange(panics{c.t.Context(), new(int)})
			t.Error("no panic")
		}()
		if err := c.exchange(c.t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// panics is a context that does when it is looked at for the second time, which a leader does.
type panics struct {
	context.Context
	looks *int
}

func (p panics) Err() error {
	if *p.looks++; *p.looks == 2 {
		panic("on purpose")
	}
	return p.Context.Err()
}
