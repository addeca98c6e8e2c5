package main

import (
	"fmt"
	"io"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// Bounds of a flood.
const (
	maxFloodSeconds   = 300
	maxFloodDatagrams = 2_000_000_000
	floodTrain        = 64 // datagrams to one port before the next port's turn
	floodOctets       = 64 // as a small reply
)

// A flood sends datagrams to ports of loopback, and to no other address, as fast as it can.
type flood struct {
	ports   []int
	seconds float64
	most    int // datagrams
	stop    atomic.Bool
}

// floodCommand is what "bench budget" starts on another processor. It is of no use to others, and hidden.
func floodCommand(e *environment) *cobra.Command {
	f := &flood{}
	c := &cobra.Command{
		Use: "flood", Short: "flood ports of 127.0.0.1 until the standard input ends", Args: noWords, Hidden: true,
		RunE: func(*cobra.Command, []string) error { return f.run(e) },
	}
	l := c.Flags()
	l.IntSliceVar(&f.ports, "ports", nil, "`list` of UDP ports of 127.0.0.1")
	l.Float64Var(&f.seconds, "seconds", 60, "end after so long at the latest")
	l.IntVar(&f.most, "datagrams", maxFloodDatagrams, "end after so many datagrams at the latest")
	return c
}

func (f *flood) check() error {
	switch {
	case len(f.ports) == 0:
		return usagef("--ports: name at least one port of 127.0.0.1")
	case !(f.seconds > 0 && f.seconds <= maxFloodSeconds):
		return usagef("--seconds %v: write a number above 0, at most %d", f.seconds, maxFloodSeconds)
	case f.most < 1 || f.most > maxFloodDatagrams:
		return usagef("--datagrams %d: write a number from 1 to %d", f.most, maxFloodDatagrams)
	}
	for _, p := range f.ports {
		if p < 1 || p > 65535 {
			return usagef("--ports: %d is no port: write 1 to 65535", p)
		}
	}
	return nil
}

func (f *flood) run(e *environment) error {
	if err := f.check(); err != nil {
		return err
	}
	b, err := backend.Named("")
	if err != nil {
		return err
	}
	s, err := b.Open(backend.Config{Local: netip.MustParseAddrPort("127.0.0.1:0"), Batch: floodTrain})
	if err != nil {
		return err
	}
	defer s.Close()
	go func(input io.Reader) {
		_, _ = io.Copy(io.Discard, input) // ends with whoever started this
		f.stop.Store(true)
	}(e.stdin)
	fmt.Fprintf(e.stdout, "flooding %d ports of 127.0.0.1\n", len(f.ports))
	sent := f.send(s)
	fmt.Fprintf(e.stdout, "%d datagrams\n", sent)
	return nil
}

// send goes round the ports. What cannot be sent to one is left out: it is a flood.
func (f *flood) send(s backend.Socket) (sent int) {
	data := make([]byte, floodOctets)
	train := make([]backend.Datagram, floodTrain)
	end := ioevent.Now() + ioevent.Time(f.seconds*float64(time.Second))
	for {
		for _, p := range f.ports {
			train := train[:min(floodTrain, f.most-sent)]
			to := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(p))
			for i := range train {
				train[i] = backend.Datagram{Data: data, Addr: to}
			}
			n, _ := s.Send(train)
			if sent += n; sent >= f.most || f.stop.Load() || ioevent.Now() >= end {
				return sent
			}
		}
	}
}
