package backend

import (
	"math/bits"
	"unsafe"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// vectors is what recvmmsg(2) and sendmmsg(2) take for a batch, wired once.
type vectors struct {
	msgs    []unix.Mmsghdr
	iovs    [][2]unix.Iovec
	names   []sys.Sockaddr
	control [][dropsSize]byte
	report  *report // made at the first error
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
	v.control = make([][dropsSize]byte, n)
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
		buf, m := batch[i].Buf, &a.msgs[i].Hdr
		a.iovs[i][0].Base = unsafe.SliceData(buf)
		a.iovs[i][0].SetLen(len(buf))
		a.iovs[i][1].Base = &tail[0]
		a.iovs[i][1].SetLen(len(tail))
		m.SetIovlen(2)
		m.Name, m.Namelen = nil, 0
		if names {
			m.Name, m.Namelen = a.names[i].Name(), sys.SockaddrSize
		}
		m.Control = &a.control[i][0]
		m.SetControllen(dropsSize)
	}
	return a.msgs[:len(batch)]
}

// outgoing prepares a send call for batch. Names says whether the destinations are to be given.
func (a *Arena) outgoing(batch []Datagram, names bool) []unix.Mmsghdr {
	a.grow(len(batch))
	for i := range batch {
		d, m := &batch[i], &a.msgs[i].Hdr
		a.iovs[i][0].Base = unsafe.SliceData(d.Data)
		a.iovs[i][0].SetLen(len(d.Data))
		m.SetIovlen(1)
		m.Name, m.Namelen = nil, 0
		if names {
			m.Name, m.Namelen = a.names[i].Name(), a.names[i].Set(d.Addr, a.zones.scope(d.Addr))
		}
		m.Control = nil
		m.SetControllen(0)
	}
	return a.msgs[:len(batch)]
}
