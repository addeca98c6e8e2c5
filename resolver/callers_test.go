package resolver_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// callers are goroutines that call a Resolver in every way there is, with contexts and deadlines that may end at any time.
type callers struct {
	t      *testing.T
	r      *resolver.Resolver
	silent []resolver.Server
	watch  *stopwatch // its witness

	called, ended [callWays]atomic.Int64
	outcomes      [3]atomic.Int64 // answered, timed out, canceled
	latest        atomic.Int64    // after a deadline, in nanoseconds, less what the witness was late
	most          time.Duration   // of that
}

// The ways to call.
const (
	byExchange = iota
	byLookup
	bySubmit
	byDeadline // to a server that is silent
	callWays
)

// TestStormOfCallers: a million calls, alone, in twos and threes, which hand the loop to and fro, and in thousands: each ends once, with its own answer or the
// reason that it has none.
func TestStormOfCallers(t *testing.T) {
	total := 1_000_000
	if testing.Short() {
		total /= 50
	}
	for _, tt := range []struct {
		goroutines, hold, shards int
		share                    float64
	}{
		{1, 1, 1, 0.02}, {2, 1, 1, 0.05}, {3, 1, 2, 0.05}, {8, 1, 1, 0.08}, {64, 8, 2, 0.3}, {3000, 64, 1, 0.3}, {1000, 64, 4, 0.2},
	} {
		t.Run(fmt.Sprintf("goroutines=%d/shards=%d", tt.goroutines, tt.shards), func(t *testing.T) {
			onPreferred(t, func(t *testing.T, w *world) {
				if raceDetector {
					tt.goroutines = min(tt.goroutines, 200) // beyond 255 that run, the detector itself may fail a check of its own
				}
				w.config.Timeout = 2 * time.Second
				r := w.resolver(t, func(c *resolver.Config) { c.Shards = tt.shards }, dnstest.Hold(t, tt.hold))
				c := w.callers(t, r, time.Second) // a busy machine is later than a single witness sees, a lost wake-up later than that
				c.storm(tt.goroutines, int(float64(total)*tt.share)/tt.goroutines)
			})
		})
	}
}

// TestDeadlineOfCallers: none ends later than 50 ms after its deadline, but for what a witness is late, whoever turns the loop.
func TestDeadlineOfCallers(t *testing.T) {
	for _, goroutines := range []int{1, 2, 50} {
		t.Run(fmt.Sprintf("goroutines=%d", goroutines), func(t *testing.T) {
			onPreferred(t, func(t *testing.T, w *world) {
				c := w.callers(t, w.resolver(t, oneShard, w.server(t, good).Addr()), 50*time.Millisecond)
				var wg sync.WaitGroup
				for range goroutines {
					wg.Go(func() {
						for range 20 {
							c.byDeadline(context.Background(), www.Name, rand.N(50*time.Millisecond))
						}
					})
				}
				wg.Wait()
				close(c.watch.stopped)
				c.inTime()
			})
		})
	}
}

func (w *world) callers(t *testing.T, r *resolver.Resolver, most time.Duration) *callers {
	return &callers{t: t, r: r, watch: w.start(), most: most, silent: []resolver.Server{{Addr: w.server(t, dnstest.Silent).Addr()}}}
}

// storm has goroutines make each so many calls.
func (c *callers) storm(goroutines, each int) {
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(g), uint64(each)))
			for i := range each {
				c.call(rnd, fmt.Sprintf("g%d-%d.example.com", g, i))
			}
		})
	}
	wg.Wait()
	close(c.watch.stopped)
	c.r.Close() // ends what was submitted
	for way := range c.called {
		if called, ended := c.called[way].Load(), c.ended[way].Load(); called != ended {
			c.t.Errorf("way %d: %d calls, %d ends", way, called, ended)
		}
	}
	if st := c.r.Stats(); st.InFlight != 0 || st.Completed != st.Submitted {
		c.t.Errorf("%d in flight, %d of %d completed", st.InFlight, st.Completed, st.Submitted)
	}
	c.t.Logf("%d answered, %d timed out, %d canceled; at most %v late", c.outcomes[0].Load(), c.outcomes[1].Load(), c.outcomes[2].Load(),
		time.Duration(c.latest.Load()))
	c.inTime()
}

// inTime fails if a call ended too late.
func (c *callers) inTime() {
	if late := time.Duration(c.latest.Load()); late > c.most {
		c.t.Errorf("a call ended %v after its deadline", late)
	}
}

// call makes one call of name.
func (c *callers) call(rnd *rand.Rand, name string) {
	way := rnd.IntN(callWays - 1)
	if rnd.IntN(50) == 0 {
		way = byDeadline
	}
	ctx, cancel := ending(rnd)
	defer cancel()
	c.called[way].Add(1)
	switch way {
	case bySubmit:
		c.submit(rnd, name)
		return
	case byExchange:
		a, err := c.r.Exchange(ctx, named(name))
		if c.outcome(ctx, err) && a.Question.Name != name {
			c.t.Errorf("asked %s, got %s", name, a.Question.Name)
		}
	case byLookup:
		addrs, err := c.r.LookupNetIP(ctx, []string{"ip", "ip4"}[rnd.IntN(2)], name)
		if c.outcome(ctx, err) && len(addrs) == 0 {
			c.t.Errorf("%s: no address and no error", name)
		}
	case byDeadline:
		c.byDeadline(ctx, name, time.Duration(rnd.Int64N(int64(5*time.Millisecond))))
	}
	c.ended[way].Add(1)
}

// byDeadline asks a silent server, and books how late it came back, as stopwatch.lasted does.
func (c *callers) byDeadline(ctx context.Context, name string, in time.Duration) {
	before := c.watch.lateness()
	deadline := ioevent.Now() + ioevent.Time(in)
	_, err := c.r.ExchangeQuery(ctx, resolver.Query{Question: named(name), Servers: c.silent, Deadline: deadline})
	c.outcome(ctx, err)
	c.late(int64(time.Duration(ioevent.Now()-deadline) - 4*(c.watch.lateness()-before)))
}

// ending returns a context that does not end, or ends before the call, soon, or by a deadline.
func ending(rnd *rand.Rand) (context.Context, context.CancelFunc) {
	soon := time.Duration(rnd.IntN(2000)) * time.Microsecond
	switch rnd.IntN(8) {
	case 0:
		return context.WithTimeout(context.Background(), soon)
	case 1:
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(soon, cancel)
		return ctx, cancel
	case 2:
		ctx, cancel := context.WithCancel(context.Background())
		go cancel()
		return ctx, cancel
	case 3:
		return context.WithTimeout(context.Background(), time.Hour)
	}
	return context.Background(), func() {}
}

// outcome books how a call ended, and reports whether with an answer.
func (c *callers) outcome(ctx context.Context, err error) bool {
	var e *resolver.Error
	switch {
	case err == nil:
		c.outcomes[0].Add(1)
		return true
	case errors.Is(err, resolver.ErrTimeout):
		c.outcomes[1].Add(1)
	case errors.Is(err, resolver.ErrCanceled) && ctx.Err() != nil:
		c.outcomes[2].Add(1)
	default:
		c.t.Errorf("%v", err)
	}
	if !errors.As(err, &e) {
		c.t.Errorf("%v is not an *Error", err)
	}
	return false
}

// late books how late a call was.
func (c *callers) late(by int64) {
	for {
		old := c.latest.Load()
		if by <= old || c.latest.CompareAndSwap(old, by) {
			return
		}
	}
}

// submit submits, and cancels perhaps.
func (c *callers) submit(rnd *rand.Rand, name string) {
	var once atomic.Int32
	q := &resolver.Query{Question: resolver.Question{Name: name, Type: dns.TypeA}}
	q.Done = func(*resolver.Query, *resolver.Reply, error) {
		if once.Add(1) != 1 {
			c.t.Errorf("%s is done %d times", name, once.Load())
		}
		c.ended[bySubmit].Add(1)
	}
	if err := c.r.Submit(q); err != nil {
		c.t.Errorf("submit: %v", err)
		return
	}
	if rnd.IntN(4) == 0 {
		c.r.Cancel(q)
	}
}
