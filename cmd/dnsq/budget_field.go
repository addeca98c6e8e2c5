package main

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// A budgetField is the sockets that are flooded. Their queues stay full from one run to the next.
type budgetField struct {
	sockets []backend.Socket
	batch   []backend.Datagram
	poller  ioevent.Mechanism
	flood   *lab.Process
}

// floodBatch is how many datagrams a receive may take.
const floodBatch = backend.DefaultBatch

// openField opens n sockets on loopback.
func openField(n int) (f *budgetField, err error) {
	f = &budgetField{}
	b, err := backend.Named("recvmmsg")
	if err != nil {
		b, err = backend.Named("")
	}
	if err == nil {
		f.poller, err = ioevent.Named("")
	}
	if err != nil {
		return nil, err
	}
	if !b.Descriptors || !f.poller.Files {
		return nil, fmt.Errorf("the loop of poller %s watches no descriptors: %w", f.poller.Name, errors.ErrUnsupported)
	}
	arena := backend.NewArena()
	for range n {
		s, err := b.Open(backend.Config{Local: netip.MustParseAddrPort("127.0.0.1:0"), Arena: arena})
		if err != nil {
			f.close()
			return nil, err
		}
		f.sockets = append(f.sockets, s)
	}
	const slot = 2048
	octets := make([]byte, floodBatch*slot)
	for ; len(octets) > 0; octets = octets[slot:] {
		f.batch = append(f.batch, backend.Datagram{Buf: octets[:slot:slot]})
	}
	return f, nil
}

// start has another process flood the field.
func (f *budgetField) start(l *lab.Lab) (err error) {
	var ports strings.Builder
	for _, s := range f.sockets {
		fmt.Fprintf(&ports, ",%d", s.LocalAddr().Port())
	}
	f.flood, err = l.Start("bench", "flood", "--seconds", fmt.Sprint(maxFloodSeconds), "--ports", ports.String()[1:])
	return err
}

func (f *budgetField) close() {
	if f.flood != nil {
		_ = f.flood.Stop()
	}
	for _, s := range f.sockets {
		_ = s.Close()
	}
}

// dropped is how many datagrams found a full queue.
func (f *budgetField) dropped() (n uint64) {
	for _, s := range f.sockets {
		n += s.Stats().Dropped
	}
	return n
}

// A budgetSide is how the loop is run.
type budgetSide struct {
	name   string
	budget time.Duration // ioevent.Config.Budget
	naive  bool          // a handler that receives until there is no more
}

// budgetSides: without a budget a handler receives until EAGAIN and a turn calls all that are ready. With it both are the library's: a handler receives its
// share once, and the turn ends when its time is spent.
func budgetSides() []budgetSide {
	return []budgetSide{{"off", -1, true}, {"on", 0, false}}
}

// An antagonist is a handler whose peer floods it.
type antagonist struct {
	socket backend.Socket
	batch  []backend.Datagram
	loop   *ioevent.Loop
	naive  bool
	work   ioevent.Time // for each datagram
	until  ioevent.Time // a flood can keep a naive one for ever
}

// HandleEvent receives, and does something with each datagram.
func (a *antagonist) HandleEvent(ioevent.Event) (dry bool) {
	for {
		batch := a.batch
		if !a.naive {
			batch = batch[:min(len(batch), a.loop.Share())]
		}
		n, dry, err := a.socket.Recv(batch)
		a.loop.Spent(n)
		now := ioevent.Now()
		for end := now + ioevent.Time(n)*a.work; now < end; {
			now = ioevent.Now()
		}
		if dry || err != nil || !a.naive {
			return dry || err != nil
		}
		if now > a.until {
			return false
		}
	}
}

// run has the stream and the field share a loop for d.
func (f *budgetField) run(b *benchBudget, side budgetSide, server netip.AddrPort, d time.Duration) (*budgetStream, error) {
	loop, err := ioevent.NewLoop(ioevent.Config{Mechanism: f.poller, Budget: side.budget})
	if err != nil {
		return nil, err
	}
	defer loop.Close()
	engine, err := resolver.NewEngine(resolver.Config{Servers: []resolver.Server{{Addr: server}}})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	s := &budgetStream{loop: loop, engine: engine, names: b.names}
	s.start(d, min(d/4, 100*time.Millisecond), b.rate)
	if err := loop.Watch(loop.Register(s), engine.FD(), ioevent.Read); err != nil {
		return nil, err
	}
	for _, socket := range f.sockets {
		a := &antagonist{socket: socket, batch: f.batch, loop: loop, naive: side.naive, work: ioevent.Time(b.work), until: s.latest}
		if err := loop.Watch(loop.Register(a), socket.FD(), ioevent.Read); err != nil {
			return nil, err
		}
	}
	if err := loop.Run(s.tick); err != nil {
		return nil, err
	}
	s.lost += s.out
	if len(s.latencies) == 0 {
		return nil, fmt.Errorf("%w from %v to any of %d queries", errNoReply, server, s.asked)
	}
	return s, nil
}
