package backend

import "sync"

// maxDatagram is more octets than a UDP datagram without a jumbogram can hold.
const maxDatagram = 1 << 16

// An Arena is scratch memory that sockets driven by one goroutine share: what the system calls need to receive and send a batch, and the
// overflow, where a datagram longer than its Buf is whole. What Recv put there stays until the next Recv on a socket that shares the Arena.
type Arena struct {
	vectors            // what a call for a batch takes, on systems that have one
	overflow []byte    // made at the first use: room for the head, then maxDatagram for the tail
	zones    zones     // names of scope ids
	idle     sync.Pool // receive memory that closed sockets of the net backend left
}

// NewArena returns an Arena for Config.Arena. It takes its memory when it is used.
func NewArena() *Arena { return new(Arena) }

// tail returns where to receive what does not fit into a Buf. There is as much room ahead of it, so that join can make the datagram
// contiguous whatever the length of Buf; pages that nothing is received into cost no memory.
func (a *Arena) tail() []byte {
	if a.overflow == nil {
		a.overflow = make([]byte, 2*maxDatagram)
	}
	return a.overflow[maxDatagram:]
}

// join returns the datagram of n octets that begins in head and goes on in the tail.
func (a *Arena) join(head []byte, n int) []byte {
	start := maxDatagram - len(head)
	copy(a.overflow[start:], head)
	return a.overflow[start : start+n : start+n]
}
