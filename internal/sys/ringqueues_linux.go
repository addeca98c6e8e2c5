package sys

import (
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// submissions is the ring that the process fills. The kernel reads it within a call to Submit or Wait alone, and its tail to poll the descriptor.
type submissions struct {
	head, tail *uint32 // shared; the kernel moves the head
	slots      []Submission
	queued     uint32 // behind the head, for the next Submit
	blocked    bool
}

// completions is the ring that the kernel fills, at any time.
type completions struct {
	head, tail *uint32 // shared; the kernel moves the tail
	slots      []Completion
}

// Room is how many more submissions fit in.
func (r *Ring) Room() int { return len(r.sq.slots) - int(r.sq.queued) }

// Next returns the next submission, zeroed, for the caller to fill. There must be room.
func (r *Ring) Next() *Submission {
	s := &r.sq.slots[(*r.sq.head+r.sq.queued)&uint32(len(r.sq.slots)-1)]
	*s = Submission{}
	r.sq.queued++
	return s
}

// Submit hands over what Next returned, in order, in one system call. The kernel took the first n; the others are withdrawn.
func (r *Ring) Submit() (n int, errno syscall.Errno) { return r.enter(0, 0, nil, 0) }

// Wait submits, too, and waits until there is a completion, but no longer than d.
func (r *Ring) Wait(d time.Duration) syscall.Errno {
	r.timeout = timespec{int64(d / time.Second), int64(d % time.Second)}
	arg := waitArg{timeout: uint64(uintptr(unsafe.Pointer(&r.timeout)))}
	_, errno := r.enter(1, enterGetEvents|enterExtArg, unsafe.Pointer(&arg), unsafe.Sizeof(arg))
	return errno
}

func (r *Ring) enter(wait int, flags uintptr, arg unsafe.Pointer, size uintptr) (n int, errno syscall.Errno) {
	head := *r.sq.head
	atomic.StoreUint32(r.sq.tail, head+r.sq.queued)
	_, _, errno = unix.Syscall6(unix.SYS_IO_URING_ENTER, uintptr(r.fd), uintptr(r.sq.queued), uintptr(wait), flags, uintptr(arg), size)
	r.sq.queued = 0
	r.Block(r.sq.blocked)
	return int(*r.sq.head - head), errno
}

// Block makes the descriptor not writable, by a full ring that nothing is submitted of, or writable again.
func (r *Ring) Block(on bool) {
	r.sq.blocked = on
	tail := atomic.LoadUint32(r.sq.head)
	if on {
		tail += uint32(len(r.sq.slots))
	}
	atomic.StoreUint32(r.sq.tail, tail)
}

// Len is how many completions there are.
func (r *Ring) Len() int { return int(atomic.LoadUint32(r.cq.tail) - *r.cq.head) }

// At returns completion i, of those that there are. It is the kernel's again after Advance.
func (r *Ring) At(i int) *Completion {
	return &r.cq.slots[(*r.cq.head+uint32(i))&uint32(len(r.cq.slots)-1)]
}

// Advance gives the first n completions back.
func (r *Ring) Advance(n int) { atomic.StoreUint32(r.cq.head, *r.cq.head+uint32(n)) }

// Remove gives completion i back alone: those ahead of it move up.
func (r *Ring) Remove(i int) {
	for ; i > 0; i-- {
		*r.At(i) = *r.At(i - 1)
	}
	r.Advance(1)
}
