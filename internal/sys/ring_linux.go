package sys

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Ring is an io_uring (io_uring(7)): requests go in by Next and Submit, completions come out by Len, At and Advance. One goroutine at a time
// uses it, on whatever thread that runs: the ring has no kernel thread and no flag that ties it to one of the process.
type Ring struct {
	fd      int
	shared  []byte // the two rings, mapped
	slots   []byte // the submissions, mapped
	sq      submissions
	cq      completions
	timeout timespec // of Wait
}

// OpenRing makes a ring for so many submissions at once and so many completions, both powers of two.
func OpenRing(submissions, completions int) (*Ring, syscall.Errno) {
	p := ringParams{flags: setupCQSize | setupCoopTaskrun, cqEntries: uint32(completions)}
	fd, _, errno := unix.Syscall(unix.SYS_IO_URING_SETUP, uintptr(submissions), uintptr(unsafe.Pointer(&p)), 0)
	if errno != 0 {
		return nil, errno
	}
	r := &Ring{fd: int(fd)}
	if errno := r.mmap(&p); errno != 0 {
		r.Close()
		return nil, errno
	}
	return r, 0
}

// mmap maps what the kernel and the process share. Since Linux 5.4 the two rings are one mapping.
func (r *Ring) mmap(p *ringParams) (errno syscall.Errno) {
	size := max(p.sq.array+4*p.sqEntries, p.cq.cqes+p.cqEntries*uint32(unsafe.Sizeof(Completion{})))
	if r.shared, errno = mapRing(r.fd, offsetRings, int(size)); errno != 0 {
		return errno
	}
	if r.slots, errno = mapRing(r.fd, offsetSubmissions, int(p.sqEntries)*int(unsafe.Sizeof(Submission{}))); errno != 0 {
		return errno
	}
	at := func(offset uint32) *uint32 { return (*uint32)(unsafe.Pointer(&r.shared[offset])) }
	r.sq.head, r.sq.tail = at(p.sq.head), at(p.sq.tail)
	r.sq.slots = unsafe.Slice((*Submission)(unsafe.Pointer(&r.slots[0])), p.sqEntries)
	order := unsafe.Slice(at(p.sq.array), p.sqEntries)
	for i := range order {
		order[i] = uint32(i)
	}
	r.cq.head, r.cq.tail = at(p.cq.head), at(p.cq.tail)
	r.cq.slots = unsafe.Slice((*Completion)(unsafe.Pointer(&r.shared[p.cq.cqes])), p.cqEntries)
	return 0
}

func mapRing(fd int, offset int64, size int) ([]byte, syscall.Errno) {
	b, err := unix.Mmap(fd, offset, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	return b, Errno(err)
}

// FD is the ring's descriptor: readable while there are completions, writable while there is room for submissions.
func (r *Ring) FD() int { return r.fd }

// Cancel cancels all that is in progress. The completions that say so may come a little later, from the thread that submitted it.
func (r *Ring) Cancel() syscall.Errno {
	reg := cancelReg{flags: cancelAll | cancelAny, timeout: timespec{-1, -1}}
	return r.register(registerSyncCancel, unsafe.Pointer(&reg))
}

// Close gives everything back. The kernel cancels what is in progress, in its own time.
func (r *Ring) Close() {
	for _, mapping := range [][]byte{r.shared, r.slots} {
		if mapping != nil {
			_ = unix.Munmap(mapping)
		}
	}
	_ = unix.Close(r.fd)
}

func (r *Ring) register(op uintptr, arg unsafe.Pointer) syscall.Errno {
	_, _, errno := unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), op, uintptr(arg), 1, 0, 0)
	return errno
}
