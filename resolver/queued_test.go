package resolver_test

import (
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// stamps has the kernel stamp what comes.
func stamps(c *resolver.Config) { oneSocket(c); c.Socket = backend.Config{Stamps: true} }

// waits is a server that takes so long, and says when it has sent its reply.
func waits(d time.Duration, sent chan<- struct{}) dnstest.Handler {
	return func(w *dnstest.Writer, q dnstest.Request) {
		time.Sleep(d)
		good(w, q)
		sent <- struct{}{}
	}
}

// timesOf asks e once and leaves the reply, once it is sent, to wait for so long. It returns how long that is by the reply, and by the clock.
func timesOf(t *testing.T, e *resolver.Engine, sent <-chan struct{}, leave time.Duration, flags resolver.Flags) (queued, rtt time.Duration) {
	t.Helper()
	done := false
	q := resolver.Query{Question: www, Flags: flags, Done: func(_ *resolver.Query, r *resolver.Reply, err error) {
		if done = true; err != nil {
			t.Fatal(err)
		}
		queued, rtt = time.Duration(r.Queued), time.Duration(r.RTT)
	}}
	if err := e.Submit(&q); err != nil {
		t.Fatal(err)
	}
	received := e.Stats().Received
	e.Timeouts(ioevent.Now())
	for flags != 0 && e.Stats().Received == received { // a connection takes turns to be made
		select {
		case <-sent:
			drive(t, e, func() bool { return done })
			return queued, rtt
		default:
			e.IOEvent(ioevent.Now())
			e.Timeouts(ioevent.Now())
		}
	}
	<-sent
	time.Sleep(leave)
	drive(t, e, func() bool { return done })
	return queued, rtt
}

// givesStamps reports whether the sockets of this world say when a datagram came.
func (w *world) givesStamps() bool {
	return w.memory == nil && stampedHere && w.config.Backend.Descriptors
}

// TestQueued: what a reply waits for the engine is in Queued, and what it takes to come is not, where RTT has both.
func TestQueued(t *testing.T) {
	const wait, slack = 20 * time.Millisecond, time.Millisecond
	everywhere(t, func(t *testing.T, w *world) {
		sent := make(chan struct{}, 1)
		quick, slow := w.engine(t, stamps, w.server(t, waits(0, sent)).Addr()), w.engine(t, stamps, w.server(t, waits(wait, sent)).Addr())
		if !w.givesStamps() {
			if queued, _ := timesOf(t, quick, sent, wait, 0); queued != 0 {
				t.Errorf("queued for %v, and there are no stamps", queued)
			}
			return
		}
		for tries := 0; ; tries++ { // the first socket that asks for stamps has them a little later
			queued, rtt := timesOf(t, quick, sent, wait, 0)
			if queued > rtt+slack {
				t.Fatalf("queued for %v of %v", queued, rtt)
			}
			if queued >= wait-slack {
				break
			}
			if tries == 50 {
				t.Fatalf("queued for %v, want %v", queued, wait)
			}
		}
		if queued, rtt := timesOf(t, quick, sent, wait, 0); queued < wait-slack || queued > rtt+slack {
			t.Errorf("queued for %v of %v, want %v", queued, rtt, wait)
		}
		if queued, rtt := timesOf(t, slow, sent, 0, 0); queued > rtt-wait+slack || rtt < wait {
			t.Errorf("queued for %v of %v, but %v is the server's", queued, rtt, wait)
		}
	})
}

// TestQueuedWithoutStamps: it is 0, and over TCP it is 0 also behind one over UDP that was stamped.
func TestQueuedWithoutStamps(t *testing.T) {
	const wait = 5 * time.Millisecond
	onPreferred(t, withTCP(func(t *testing.T, w *world) {
		sent := make(chan struct{}, 1)
		server := w.server(t, waits(0, sent)).Addr()
		if queued, _ := timesOf(t, w.engine(t, oneSocket, server), sent, wait, 0); queued != 0 {
			t.Errorf("queued for %v without stamps", queued)
		}
		e := w.engine(t, stamps, server)
		timesOf(t, e, sent, wait, 0)
		if queued, _ := timesOf(t, e, sent, wait, resolver.OverTCP); queued != 0 {
			t.Errorf("queued for %v over TCP", queued)
		}
	}))
}
