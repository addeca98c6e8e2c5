package backend

import (
	"encoding/binary"
	"math"
	"net/netip"
	"unsafe"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// incoming is the headers of receive calls. They stay prepared: the kernel changes what is said of the messages that it filled alone, and
// renew sets that right when the message has been read.
type incoming struct {
	headers
	manner
	ready int // so many are prepared
}

// A manner is what the messages of one call have in common.
type manner struct {
	named  bool // the sources are wanted
	trains bool // what does not fit goes to an area, else to the overflow
}

// incoming prepares a receive call into batch.
func (a *Arena) incoming(batch []Datagram, how manner) []unix.Mmsghdr {
	h := &a.receiving
	if h.grow(len(batch)) || h.manner != how {
		h.manner, h.ready = how, 0
	}
	for i := range batch[:min(h.ready, len(batch))] {
		buf, iov := h.head(&batch[i]), &h.iovs[i][0]
		if iov.Base != unsafe.SliceData(buf) || int(iov.Len) != len(buf) {
			h.into(i, buf)
		}
	}
	for ; h.ready < len(batch); h.ready++ {
		a.prepare(h.ready, h.head(&batch[h.ready]))
	}
	return h.msgs[:len(batch)]
}

// head is where a message begins.
func (h *incoming) head(d *Datagram) []byte { return d.Buf[:min(len(d.Buf), h.most())] }

// most is how much of a Buf is used.
func (h *incoming) most() int {
	if h.trains {
		return headroom
	}
	return math.MaxInt
}

// into has message i begin in buf.
func (h *incoming) into(i int, buf []byte) {
	iov := &h.iovs[i][0]
	iov.Base = unsafe.SliceData(buf)
	iov.SetLen(len(buf))
}

// prepare prepares message i, to begin in buf.
func (a *Arena) prepare(i int, buf []byte) {
	h, tail := &a.receiving, []byte(nil)
	if h.trains {
		tail = a.area(i)[headroom:]
	} else {
		tail = a.tail()
	}
	h.into(i, buf)
	h.iovs[i][1].Base = unsafe.SliceData(tail)
	h.iovs[i][1].SetLen(len(tail))
	m := &h.msgs[i].Hdr
	m.SetIovlen(2)
	m.Control = &h.control[i][0]
	m.Name = nil
	if h.named {
		m.Name = h.names[i].Name()
	}
	h.renew(i)
}

// renew makes of message i what it was before the kernel filled it.
func (h *incoming) renew(i int) {
	m := &h.msgs[i].Hdr
	m.SetControllen(controlSize)
	if h.named {
		m.Namelen = sys.SockaddrSize
	}
}

// from is the source of message i, which came to a socket that is connected to remote or, if that is invalid, to none.
func (a *Arena) from(i int, remote netip.AddrPort) netip.AddrPort {
	if a.receiving.named {
		return a.zones.with(a.receiving.names[i].AddrPort())
	}
	return remote
}

// A note is what the kernel tells with a message, as far as it does.
type note struct {
	drops   uint32 // so far
	segment int    // octets of each datagram of a train
	stamp   int64  // as in Datagram
}

// told reads what the kernel tells with message i.
func (h *incoming) told(i int) note { return readNote(h.control[i][:h.msgs[i].Hdr.Controllen]) }

func readNote(control []byte) (n note) {
	for len(control) >= unix.SizeofCmsghdr {
		h, data, rest, err := unix.ParseOneSocketControlMessage(control)
		switch {
		case err != nil || len(data) < 4:
			return n
		case h.Level == unix.SOL_SOCKET && h.Type == unix.SO_RXQ_OVFL:
			n.drops = binary.NativeEndian.Uint32(data)
		case h.Level == unix.SOL_SOCKET && h.Type == unix.SO_TIMESTAMPNS_NEW && len(data) >= stampSize:
			n.stamp = int64(binary.NativeEndian.Uint64(data))*1e9 + int64(binary.NativeEndian.Uint64(data[8:]))
		case h.Level == unix.IPPROTO_UDP && h.Type == unix.UDP_GRO:
			n.segment = int(binary.NativeEndian.Uint32(data))
		}
		control = rest
	}
	return n
}
