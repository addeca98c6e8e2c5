package main

import (
	"github.com/dnsq/dnsq/backend"
)

// A tally counts what the sockets of a backend receive. A wake's datagrams are those up to the receive that found no more.
type tally struct {
	wakes   []uint64 // by the number of datagrams
	offered []uint64 // receives, by the buffers offered
	current int      // of the wake
}

// watch returns b with its sockets counted.
func (t *tally) watch(b backend.Backend) backend.Backend {
	open := b.Open
	b.Open = func(cfg backend.Config) (backend.Socket, error) {
		s, err := open(cfg)
		if err != nil {
			return nil, err
		}
		return tallySocket{s, t}, nil
	}
	return b
}

// reset begins anew.
func (t *tally) reset() {
	clear(t.wakes)
	clear(t.offered)
}

func (t *tally) saw(offered, n int, dry bool) {
	count(&t.offered, offered)
	t.current += n
	if dry {
		count(&t.wakes, t.current)
		t.current = 0
	}
}

func count(list *[]uint64, at int) {
	for len(*list) <= at {
		*list = append(*list, 0)
	}
	(*list)[at]++
}

type tallySocket struct {
	backend.Socket
	t *tally
}

func (s tallySocket) Recv(batch []backend.Datagram) (n int, dry bool, err error) {
	n, dry, err = s.Socket.Recv(batch)
	s.t.saw(len(batch), n, dry)
	return n, dry, err
}

// mean returns the mean of the places, each as often as list says.
func mean(list []uint64) float64 {
	var n, sum float64
	for at, times := range list {
		n += float64(times)
		sum += float64(at) * float64(times)
	}
	return sum / max(n, 1)
}
