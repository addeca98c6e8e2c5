package main

import (
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// A receiveCost is what the number of buffers has a say in. One receive more is a turn more: the call, and the look at the poller before it. A buffer offered is
// prepared whether or not it is filled.
type receiveCost struct {
	Call   float64 `json:"call_ns"`
	Buffer float64 `json:"buffer_ns"`
}

// of is the cost of a receive that is offered so many buffers.
func (c receiveCost) of(buffers int) float64 { return c.Call + float64(buffers)*c.Buffer }

// perDatagram is what a datagram costs with so many buffers at most, where wakes bring as many as wakes says: as often as a wake fills all
// buffers there is one receive more, for only a short one tells an edge-triggered loop that there is no more.
func (c receiveCost) perDatagram(wakes []uint64, buffers int) float64 {
	var datagrams, cost float64
	for k, times := range wakes {
		datagrams += float64(k) * float64(times)
		cost += float64(times) * float64(k/buffers+1) * c.of(buffers)
	}
	return cost / max(datagrams, 1)
}

// best returns the power of two of buffers, at most, with the least cost a datagram.
func (c receiveCost) best(wakes []uint64, most int) (buffers int, cost float64) {
	for b := 1; b <= most; b *= 2 {
		if x := c.perDatagram(wakes, b); buffers == 0 || x < cost {
			buffers, cost = b, x
		}
	}
	return buffers, cost
}

// offeredCost is what a datagram cost with the buffers that were offered.
func (c receiveCost) offeredCost(t *tally) float64 {
	var datagrams, cost float64
	for k, times := range t.wakes {
		datagrams += float64(k) * float64(times)
	}
	for buffers, times := range t.offered {
		cost += float64(times) * c.of(buffers)
	}
	return cost / max(datagrams, 1)
}

// measureReceive times receives that find nothing, with one buffer and with many, and looks at a poller that has nothing.
func measureReceive(b backend.Backend, p ioevent.Mechanism) (c receiveCost, err error) {
	const many = 256
	s, err := b.Open(backend.Config{Local: netip.AddrPortFrom(loopback4(), 0), Batch: many})
	if err != nil {
		return c, err
	}
	defer s.Close()
	poller, err := p.Open(new(ioevent.Counters))
	if err != nil {
		return c, err
	}
	defer poller.Close()
	batch := make([]backend.Datagram, many)
	octets := make([]byte, many*2048)
	for i := range batch {
		batch[i].Buf = octets[i*2048 : (i+1)*2048]
	}
	events := make([]ioevent.Event, 64)
	receive := func(n int) func() error {
		return func() error { _, _, err := s.Recv(batch[:n]); return err }
	}
	one, err1 := fastest(receive(1))
	all, err2 := fastest(receive(many))
	look, err3 := fastest(func() error { _, err := poller.Wait(events, false); return err })
	for _, err := range []error{err1, err2, err3} {
		if err != nil {
			return c, err
		}
	}
	c.Buffer = max(all-one, 0) / (many - 1)
	c.Call = one - c.Buffer + look
	return c, nil
}

// fastest returns the nanoseconds of a call, in the fastest of several series: what disturbs only makes slower.
func fastest(call func() error) (ns float64, err error) {
	const series, calls = 20, 500
	for i := range series {
		began := ioevent.Now()
		for range calls {
			if err := call(); err != nil {
				return 0, err
			}
		}
		if each := float64(time.Duration(ioevent.Now()-began)) / calls; i == 0 || each < ns {
			ns = each
		}
	}
	return ns, nil
}
