package backend

import (
	"math/bits"
	"net/netip"
	"unsafe"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// headers is what recvmmsg(2) or sendmmsg(2) takes for a batch, wired once.
type headers struct {
	msgs    []unix.Mmsghdr
	iovs    [][2]unix.Iovec
	names   []sys.Sockaddr
	control [][controlSize]byte
}

// vectors is the headers of an Arena, and the memory that goes with them. A send leaves those of receives as they are.
type vectors struct {
	sending   headers
	receiving incoming
	report    *report // made at the first error
	trains            // made by sockets that use them
}

// grow makes room for n messages and reports whether there was less: then nothing is prepared any more.
func (h *headers) grow(n int) bool {
	if n <= len(h.msgs) {
		return false
	}
	n = 1 << bits.Len(uint(n-1))
	h.msgs = make([]unix.Mmsghdr, n)
	h.iovs = make([][2]unix.Iovec, n)
	h.names = make([]sys.Sockaddr, n)
	h.control = make([][controlSize]byte, n)
	for i := range h.msgs {
		h.msgs[i].Hdr.Iov = &h.iovs[i][0]
	}
	return true
}

// outgoing prepares a send call for batch. Names says whether the destinations are to be given.
func (a *Arena) outgoing(batch []Datagram, names bool) []unix.Mmsghdr {
	a.sending.grow(len(batch))
	for i := range batch {
		a.send(i, batch[i].Data, batch[i].Addr, names)
	}
	return a.sending.msgs[:len(batch)]
}

// send prepares message i for a send call.
func (a *Arena) send(i int, data []byte, to netip.AddrPort, names bool) {
	h := &a.sending
	m, iov := &h.msgs[i].Hdr, &h.iovs[i][0]
	iov.Base = unsafe.SliceData(data)
	iov.SetLen(len(data))
	m.SetIovlen(1)
	m.Name, m.Namelen = nil, 0
	if names {
		m.Name, m.Namelen = h.names[i].Name(), h.names[i].Set(to, a.zones.scope(to))
	}
	m.Control = nil
	m.SetControllen(0)
}
