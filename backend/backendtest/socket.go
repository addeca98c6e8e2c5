package backendtest

import (
	"bytes"
	"cmp"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// Backend returns the network's "memory" backend. Its sockets and streams have no descriptor: readiness comes through Config.Notify.
// Like Linux with IP_RECVERR a socket, connected or not, gets errors with the octets they are about.
func (n *Network) Backend() backend.Backend {
	return backend.Backend{
		Name:  "memory",
		Probe: func() error { return nil },
		Open:  n.open,
		Dial:  n.dial,
	}
}

// socket is a backend.Socket.
type socket struct {
	port
	notify     func()
	batch      int
	sendBuffer int
	stats      backend.Stats
}

var _ backend.Socket = (*socket)(nil)

func (n *Network) open(cfg backend.Config) (backend.Socket, error) {
	if err := control(cfg, "udp"); err != nil {
		return nil, err
	}
	if cfg.Batch < 0 || cfg.Batch > backend.MaxBatch {
		return nil, fmt.Errorf("memory network: batch of %d datagrams: 1 to %d are possible", cfg.Batch, backend.MaxBatch)
	}
	s := &socket{
		notify:     cfg.Notify,
		batch:      cmp.Or(cfg.Batch, backend.DefaultBatch),
		sendBuffer: cmp.Or(cfg.SendBuffer, defaultBuffer),
	}
	s.remote, s.buffer, s.reports, s.arrived = cfg.Remote, cmp.Or(cfg.RecvBuffer, defaultBuffer), true, s.wake
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.newPort(&s.port, cfg.Local); err != nil {
		return nil, err
	}
	return s, nil
}

// control runs cfg.Control with a descriptor that is none.
func control(cfg backend.Config, proto string) error {
	if cfg.Control == nil {
		return nil
	}
	addr := cfg.Remote.Addr()
	if !addr.IsValid() {
		addr = cfg.Local.Addr()
	}
	if addr.Is6() {
		return cfg.Control(proto+"6", ^uintptr(0))
	}
	return cfg.Control(proto+"4", ^uintptr(0))
}

// wake has Notify called; first says that there was nothing to receive before.
func (s *socket) wake(first bool) {
	if first && s.notify != nil && !s.closed {
		s.net.schedule.call(s.notify)
	}
}

func (s *socket) FD() int                   { return -1 }
func (s *socket) LocalAddr() netip.AddrPort { return s.addr }

func (s *socket) Recv(batch []backend.Datagram) (n int, dry bool, err error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return 0, true, net.ErrClosed
	}
	s.stats.Syscalls++
	batch = batch[:min(len(batch), s.batch)]
	if len(batch) > 0 && len(s.queue) == 0 {
		s.stats.EmptyReceives++
	}
	for n < len(batch) && len(s.queue) > 0 {
		fill(&batch[n], s.take())
		n++
	}
	return n, len(s.queue) == 0, nil
}

// fill makes d a copy of from, in Buf if that is long enough.
func fill(d *backend.Datagram, from backend.Datagram) {
	n := copy(d.Buf, from.Data)
	d.Data, d.Addr, d.Err, d.Stamp, d.Truncated = d.Buf[:n], from.Addr, from.Err, from.Stamp, false
	if n < len(from.Data) {
		d.Data = bytes.Clone(from.Data)
	}
}

func (s *socket) Send(batch []backend.Datagram) (n int, err error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return 0, net.ErrClosed
	}
	s.stats.Syscalls++
	if s.net.full > 0 {
		s.net.full--
		s.net.schedule.add(time.Now().Add(s.net.faults.Delay), func() { s.wake(true) })
		return 0, nil
	}
	for n < len(batch) {
		to := batch[n].Addr
		if s.remote.IsValid() {
			to = s.remote
		}
		if err := s.send(batch[n].Data, to); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (s *socket) Stats() backend.Stats {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	st := s.stats
	st.Dropped, st.RecvBuffer, st.SendBuffer = s.dropped, s.buffer, s.sendBuffer
	return st
}

func (s *socket) Close() error {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	s.close()
	return nil
}
