package backend

import (
	"encoding/binary"
	"net/netip"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A train is a number of datagrams of one size, the last one perhaps shorter, that cross the kernel as one message: its size is known
// as segment size, and its octets lie end to end.

const (
	maxTrain   = 128   // datagrams, UDP_MAX_SEGMENTS since Linux 6.9
	leastTrain = 64    // the same before
	maxOctets  = 65507 // of a train, as of a datagram over IPv4
)

// Received messages begin in the first octets of a Buf and go on in an area, which is long enough for any train.
const (
	areas    = 16
	headroom = 2048 // ahead of an area, so that join can make the message contiguous
)

// trains is the memory that trains take. It is made when it is used.
type trains struct {
	most    int           // datagrams that the kernel takes as a train, as far as is known
	lengths []int         // datagrams in each of the messages to be sent
	out     []byte        // trains to be sent, end to end
	in      [areas][]byte // areas with their headroom
}

// run returns how many datagrams at the beginning of batch can be one train of at most so many, and its octets. Names says that
// they have to go to the same address.
func run(batch []Datagram, most int, names bool) (n, octets int) {
	size := len(batch[0].Data)
	n, octets = 1, size
	for n < min(most, len(batch)) {
		d := &batch[n]
		more := len(d.Data)
		if more > size || more == 0 || octets+more > maxOctets || names && d.Addr != batch[0].Addr {
			break
		}
		n, octets = n+1, octets+more
		if more < size {
			break
		}
	}
	return n, octets
}

// outgoingTrains prepares a send call for batch, or for the beginning that there is room for, and returns the number of datagrams in each
// message. Names says whether the destinations are to be given.
func (a *Arena) outgoingTrains(batch []Datagram, names bool) (lengths []int) {
	a.sending.grow(len(batch))
	if a.out == nil {
		a.out, a.most = make([]byte, maxDatagram), maxTrain
	}
	a.lengths = a.lengths[:0]
	out := a.out
	for len(batch) > 0 {
		n, octets := run(batch, a.most, names)
		if n > 1 && octets > len(out) {
			break
		}
		i := len(a.lengths)
		if n == 1 {
			a.send(i, batch[0].Data, batch[0].Addr, names)
		} else {
			couple(out, batch[:n])
			a.send(i, out[:octets], batch[0].Addr, names)
			a.sending.segment(i, len(batch[0].Data))
			out = out[octets:]
		}
		a.lengths = append(a.lengths, n)
		batch = batch[n:]
	}
	return a.lengths
}

// couple copies the datagrams of a train to where they lie end to end: cheaper than to have the kernel gather them.
func couple(out []byte, batch []Datagram) {
	for i := range batch {
		out = out[copy(out, batch[i].Data):]
	}
}

// segment makes message i a train of datagrams of that size.
func (v *headers) segment(i, size int) {
	c, m := v.control[i][:], &v.msgs[i].Hdr
	h := (*unix.Cmsghdr)(unsafe.Pointer(&c[0]))
	h.Level, h.Type = unix.IPPROTO_UDP, unix.UDP_SEGMENT
	h.SetLen(unix.CmsgLen(2))
	binary.NativeEndian.PutUint16(c[unix.CmsgLen(0):], uint16(size))
	m.Control = &c[0]
	m.SetControllen(unix.CmsgSpace(2))
}

// area returns the area of message i, with its headroom. Messages beyond the number of areas share one.
func (v *trains) area(i int) []byte {
	i %= areas
	if v.in[i] == nil {
		v.in[i] = make([]byte, headroom+maxDatagram)
	}
	return v.in[i]
}

// A message is what one entry of a receive call brought: a datagram or a train.
type message struct {
	data    []byte // what is there of it
	size    int    // octets that it had
	segment int    // octets of each datagram of a train, the last excepted; 0: it is a datagram
	from    netip.AddrPort
	stamp   int64
	done    bool // it is split
}

// message returns message i of n that were received into batch, as one datagram, and whether it went on in its area.
func (a *Arena) message(batch []Datagram, i, n int) (m message, long bool) {
	h := &a.receiving
	size, data := int(h.msgs[i].Len), h.head(&batch[i])
	if size <= len(data) {
		return message{data: data[:size], size: size}, false
	}
	for k := i + areas; k < n; k += areas {
		if int(h.msgs[k].Len) > len(h.head(&batch[k])) {
			return message{data: data, size: size}, true // a later one took the area
		}
	}
	area, start := a.area(i), headroom-len(data)
	copy(area[start:], data)
	return message{data: area[start:][:size], size: size}, true
}

// split makes the next datagrams of m entries of batch, and returns how many. Those of which nothing is there get none.
func (m *message) split(batch []Datagram) (n int) {
	for n < len(batch) && !m.done {
		size := m.size
		if m.segment > 0 {
			size = min(size, m.segment)
		}
		d, k := &batch[n], min(size, len(m.data))
		d.Data, d.Addr, d.Err, d.Stamp, d.Truncated = m.data[:k:k], m.from, nil, m.stamp, k < size
		m.data, m.size = m.data[k:], m.size-size
		m.done = m.size == 0 || len(m.data) == 0
		n++
	}
	return n
}

// length is the number of datagrams in m.
func (m *message) length() int {
	if m.segment == 0 {
		return 1
	}
	return (m.size + m.segment - 1) / m.segment
}

// kept is messages, or what is left of them, first in, first out, with a copy of their octets.
type kept struct {
	list   []message
	next   int // the first that is not split
	octets []byte
}

func (k *kept) empty() bool { return k.next == len(k.list) }

func (k *kept) push(m message) {
	start := len(k.octets)
	k.octets = append(k.octets, m.data...)
	m.data = k.octets[start:]
	k.list = append(k.list, m)
}

// reuse makes room where nothing is left: what split returned is valid until then.
func (k *kept) reuse() {
	if k.empty() {
		k.list, k.next, k.octets = k.list[:0], 0, k.octets[:0]
	}
}

// split makes entries of batch as split of a message does.
func (k *kept) split(batch []Datagram) (n int) {
	for n < len(batch) && !k.empty() {
		m := &k.list[k.next]
		n += m.split(batch[n:])
		if m.done {
			k.next++
		}
	}
	return n
}
