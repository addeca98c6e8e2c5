package backendtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// A Network is a net in memory that servers and sockets of its Backend meet on. It keeps time by package time alone, so that in a
// bubble of testing/synctest, where it must then be made, delays are exact and take no time. Its methods may be called from any goroutine.
type Network struct {
	mu          sync.Mutex // all below and what hangs on it
	schedule    schedule
	faults      Faults
	full        int
	closed      bool
	nextPort    uint16
	ports       map[netip.AddrPort]*port
	listeners   map[netip.AddrPort]*listener
	conns       map[*conn]struct{}
	unreachable map[netip.Addr]bool
}

// Faults says what a Network does to traffic in either direction. The zero value delivers everything at once and in order.
type Faults struct {
	// Loss, Duplicate and Reorder are probabilities, from 0 to 1, for a datagram to vanish, to come twice, and to come so late (by
	// Delay and 1 ms) that others overtake it. Streams lose nothing, but with Loss 1 a dial gets no answer.
	Loss, Duplicate, Reorder float64
	// Delay is the time one way takes; a datagram takes up to Jitter more.
	Delay, Jitter time.Duration
	// DialDelay is the time until a dial succeeds or fails; 0: there and back, twice Delay.
	DialDelay time.Duration
	// Segment is the most octets of a stream that one Read returns, however many have come; 0: any number.
	Segment int
	// Rand draws the lots; nil: a fixed seed.
	Rand *rand.Rand
}

// NewNetwork returns a Network without faults.
func NewNetwork() *Network {
	n := &Network{
		nextPort:    firstPort,
		ports:       make(map[netip.AddrPort]*port),
		listeners:   make(map[netip.AddrPort]*listener),
		conns:       make(map[*conn]struct{}),
		unreachable: make(map[netip.Addr]bool),
	}
	n.schedule.pump = n.pump
	n.SetFaults(Faults{})
	return n
}

// SetFaults replaces the faults. They concern what is sent from now on.
func (n *Network) SetFaults(f Faults) {
	if f.Rand == nil {
		f.Rand = rand.New(rand.NewPCG(1, 2))
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.faults = f
}

// Unreachable makes every attempt to reach addr, by datagram or by dial, fail with backend.ErrUnreachable, as an ICMP message would.
func (n *Network) Unreachable(addr netip.Addr) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.unreachable[addr] = true
}

// Full makes the next k calls of Send, on whatever socket, find its queue full: they send nothing, and the socket becomes writable again.
func (n *Network) Full(k int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.full = k
}

// Close ends the network: nothing is delivered any more, and what servers hold open fails with net.ErrClosed. It leaves no goroutine
// and no timer behind.
func (n *Network) Close() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return net.ErrClosed
	}
	n.closed = true
	n.schedule.stop()
	for _, p := range n.ports {
		p.close()
	}
	for _, l := range n.listeners {
		l.close()
	}
	for c := range n.conns {
		c.close()
	}
	return nil
}

// firstPort is the first port given to whoever asks for none (RFC 6335 section 6).
const firstPort = 49152

// bind returns the address that a socket asking for local gets: an unspecified one is the loopback address.
func (n *Network) bind(local netip.AddrPort, v6 bool, taken func(netip.AddrPort) bool) (netip.AddrPort, error) {
	addr := local.Addr().Unmap()
	switch {
	case addr.IsValid() && !addr.IsUnspecified():
	case addr.Is6() || !addr.IsValid() && v6:
		addr = netip.IPv6Loopback()
	default:
		addr = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	if local.Port() != 0 {
		ap := netip.AddrPortFrom(addr, local.Port())
		if taken(ap) {
			return ap, errInUse
		}
		return ap, nil
	}
	for range 1<<16 - firstPort {
		ap := netip.AddrPortFrom(addr, n.nextPort)
		n.nextPort = max(n.nextPort+1, firstPort) // after 65535 comes the first again
		if !taken(ap) {
			return ap, nil
		}
	}
	return netip.AddrPort{}, memoryError(backend.ErrNoPorts)
}

var errInUse = errors.New("memory network: address already in use")

// memoryError is sentinel as this network reports it.
func memoryError(sentinel error) error { return fmt.Errorf("memory network: %w", sentinel) }
