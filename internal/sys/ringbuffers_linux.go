package sys

import (
	"encoding/binary"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Buffers is a ring of buffers that the kernel receives datagrams into (IORING_REGISTER_PBUF_RING). Each starts on a page of its own:
// memory that nothing was received into costs addresses alone.
type Buffers struct {
	ring    *Ring
	memory  []byte // the entries of the ring, then the buffers
	entries []bufferEntry
	first   int // where the buffers begin
	stride  int // from one to the next
	size    int // of each
	control int // room for control messages in each
	tail    uint16
}

const (
	bufferGroup = 0 // the number of a ring's only group

	nameAt    = int(unsafe.Sizeof(received{}))
	nameSize  = (SockaddrSize + 7) / 8 * 8
	controlAt = nameAt + nameSize
)

// OpenBuffers gives r count buffers, a power of two up to 32,768, for datagrams of up to payload octets and their sources, and
// each with room for control octets of control messages, a multiple of 8.
func (r *Ring) OpenBuffers(count, payload, control int) (*Buffers, syscall.Errno) {
	page := unix.Getpagesize()
	up := func(n int) int { return (n + page - 1) / page * page }
	size := controlAt + control + payload
	b := &Buffers{ring: r, first: up(count * int(unsafe.Sizeof(bufferEntry{}))), stride: up(size), size: size, control: control}
	var err error
	b.memory, err = unix.Mmap(-1, 0, b.first+count*b.stride, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, Errno(err)
	}
	_ = unix.Madvise(b.memory, unix.MADV_NOHUGEPAGE) // a small datagram is to cost a small page
	b.entries = unsafe.Slice((*bufferEntry)(unsafe.Pointer(&b.memory[0])), count)
	reg := bufferReg{addr: uint64(uintptr(unsafe.Pointer(&b.memory[0]))), entries: uint32(count), group: bufferGroup}
	if errno := r.register(registerBuffers, unsafe.Pointer(&reg)); errno != 0 {
		_ = unix.Munmap(b.memory)
		return nil, errno
	}
	for i := range count {
		b.Give(uint16(i))
	}
	b.Publish()
	return b, 0
}

// Message prepares msg for a receive into buffers.
func (b *Buffers) Message(msg *unix.Msghdr) {
	*msg = unix.Msghdr{Namelen: nameSize}
	msg.SetControllen(b.control)
}

// Received returns what is in buffer number id. It is the kernel's again after Give and Publish.
func (b *Buffers) Received(id uint16) (payload []byte, from *Sockaddr, truncated bool) {
	buf := b.at(id)
	h := (*received)(unsafe.Pointer(&buf[0]))
	payload = buf[controlAt+b.control:]
	return payload[:min(len(payload), int(h.payloadLen))], (*Sockaddr)(unsafe.Pointer(&buf[nameAt])), h.flags&unix.MSG_TRUNC != 0
}

// Control returns the control messages in buffer number id, as Received does the rest.
func (b *Buffers) Control(id uint16) []byte {
	buf := b.at(id)
	h := (*received)(unsafe.Pointer(&buf[0]))
	return buf[controlAt:][:min(b.control, int(h.controlLen))]
}

func (b *Buffers) at(id uint16) []byte { return b.memory[b.first+int(id)*b.stride:][:b.size:b.size] }

// Give puts buffer number id behind those that the kernel may fill; Publish lets it see them.
func (b *Buffers) Give(id uint16) {
	e := &b.entries[int(b.tail)&(len(b.entries)-1)]
	e.addr, e.len, e.id = uint64(uintptr(unsafe.Pointer(&b.at(id)[0]))), uint32(b.size), id
	b.tail++
}

// Publish moves the tail that the kernel sees. It shares 32 bits with the first entry's number, and there is no atomic of 16.
func (b *Buffers) Publish() {
	var word [4]byte
	binary.NativeEndian.PutUint16(word[:2], b.entries[0].id)
	binary.NativeEndian.PutUint16(word[2:], b.tail)
	atomic.StoreUint32((*uint32)(unsafe.Pointer(&b.entries[0].id)), binary.NativeEndian.Uint32(word[:]))
}

// Close takes the buffers away from the kernel, which writes into them no more, and frees them.
func (b *Buffers) Close() {
	reg := bufferReg{group: bufferGroup}
	if errno := b.ring.register(unregisterBuffers, unsafe.Pointer(&reg)); errno != 0 {
		return // still the kernel's: better lost than written into after somebody else got it
	}
	_ = unix.Munmap(b.memory)
}
