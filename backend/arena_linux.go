package backend

import (
	"encoding/binary"
	"math/bits"
	"net/netip"
	"unsafe"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// vectors is what recvmmsg(2) and sendmmsg(2) take for a batch, wired once.
type vectors struct {
	msgs    []unix.Mmsghdr
	iovs    [][2]unix.Iovec
	names   []sys.Sockaddr
	control [][controlSize]byte
	report  *report // made at the first error
	trains          // made by sockets that use them
}

// grow makes room for n messages.
func (v *vectors) grow(n int) {
	if n <= len(v.msgs) {
		return
	}
	n = 1 << bits.Len(uint(n-1))
	v.msgs = make([]unix.Mmsghdr, n)
	v.iovs = make([][2]unix.Iovec, n)
	v.names = make([]sys.Sockaddr, n)
	v.control = make([][controlSize]byte, n)
	for i := range v.msgs {
		v.msgs[i].Hdr.Iov = &v.iovs[i][0]
	}
}

// incoming prepares a receive call into batch: each datagram into its Buf, then into the overflow. Names says whether the sources are
// wanted.
func (a *Arena) incoming(batch []Datagram, names bool) []unix.Mmsghdr {
	a.grow(len(batch))
	tail := a.tail()
	for i := range batch {
		a.receiveInto(i, batch[i].Buf, tail, names)
	}
	return a.msgs[:len(batch)]
}

// receiveInto prepares message i for a receive call: its octets go into buf, then into tail.
func (v *vectors) receiveInto(i int, buf, tail []byte, names bool) {
	iov, m := &v.iovs[i], &v.msgs[i].Hdr
	iov[0].Base = unsafe.SliceData(buf)
	iov[0].SetLen(len(buf))
	iov[1].Base = unsafe.SliceData(tail)
	iov[1].SetLen(len(tail))
	m.SetIovlen(2)
	m.Name, m.Namelen = nil, 0
	if names {
		m.Name, m.Namelen = v.names[i].Name(), sys.SockaddrSize
	}
	m.Control = &v.control[i][0]
	m.SetControllen(controlSize)
}

// told reads what the kernel tells with message i: how many datagrams were dropped so far, where any were, and the size of each datagram
// of a train.
func (v *vectors) told(i int) (drops uint32, segment int) {
	control := v.control[i][:v.msgs[i].Hdr.Controllen]
	for len(control) >= unix.SizeofCmsghdr {
		h, data, rest, err := unix.ParseOneSocketControlMessage(control)
		switch {
		case err != nil || len(data) < 4:
			return drops, segment
		case h.Level == unix.SOL_SOCKET && h.Type == unix.SO_RXQ_OVFL:
			drops = binary.NativeEndian.Uint32(data)
		case h.Level == unix.IPPROTO_UDP && h.Type == unix.UDP_GRO:
			segment = int(binary.NativeEndian.Uint32(data))
		}
		control = rest
	}
	return drops, segment
}

// outgoing prepares a send call for batch. Names says whether the destinations are to be given.
func (a *Arena) outgoing(batch []Datagram, names bool) []unix.Mmsghdr {
	a.grow(len(batch))
	for i := range batch {
		a.send(i, batch[i].Data, batch[i].Addr, names)
	}
	return a.msgs[:len(batch)]
}

// send prepares message i for a send call.
func (a *Arena) send(i int, data []byte, to netip.AddrPort, names bool) {
	m := &a.msgs[i].Hdr
	a.iovs[i][0].Base = unsafe.SliceData(data)
	a.iovs[i][0].SetLen(len(data))
	m.SetIovlen(1)
	m.Name, m.Namelen = nil, 0
	if names {
		m.Name, m.Namelen = a.names[i].Name(), a.names[i].Set(to, a.zones.scope(to))
	}
	m.Control = nil
	m.SetControllen(0)
}
