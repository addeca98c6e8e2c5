package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// What follows is linux/io_uring.h, as far as it is used here.

const (
	setupCQSize = 1 << 3
	// IORING_SETUP_COOP_TASKRUN: a completion waits until the thread that submitted it enters the kernel, or sleeps there, instead of
	// interrupting it.
	setupCoopTaskrun = 1 << 8

	offsetRings       = 0
	offsetSubmissions = 0x10000000

	enterGetEvents = 1 << 0
	enterExtArg    = 1 << 3

	registerBuffers    = 22 // IORING_REGISTER_PBUF_RING, 5.19
	unregisterBuffers  = 23
	registerSyncCancel = 24 // 6.0

	cancelAll = 1 << 0
	cancelAny = 1 << 2

	completionBuffer = 1 << 0 // IORING_CQE_F_BUFFER
	completionMore   = 1 << 1 // IORING_CQE_F_MORE
)

// Operations and flags of submissions.
const (
	OpNop     = 0
	OpPollAdd = 6
	OpRecvmsg = 10

	SubmitLink         = 1 << 2 // IOSQE_IO_LINK: the next begins when this is done, and is cancelled if it fails
	SubmitBufferSelect = 1 << 5 // IOSQE_BUFFER_SELECT: into one of the ring's Buffers
	SubmitSkipSuccess  = 1 << 6 // IOSQE_CQE_SKIP_SUCCESS: no completion unless it fails; none either for what is cancelled behind it

	RecvMultishot = 1 << 1 // IORING_RECV_MULTISHOT, in Priority: one submission, a completion for every datagram (6.0)
)

// A Submission is struct io_uring_sqe: a request.
type Submission struct {
	Op, Flags uint8
	Priority  uint16
	FD        int32
	_         uint64
	addr      uint64
	len       uint32
	OpFlags   uint32 // msg_flags, poll32_events
	Tag       uint64 // user_data, which its completions carry
	group     uint16 // buf_group
	_         [3]uint16
	_         [2]uint64
}

// SetMessage makes msg the message of a send or a receive. It must be on the heap, and alive until Submit has returned.
func (s *Submission) SetMessage(msg *unix.Msghdr) {
	s.addr, s.len = uint64(uintptr(unsafe.Pointer(msg))), 1
}

// A Completion is struct io_uring_cqe.
type Completion struct {
	Tag    uint64
	Result int32 // as of the system call, an error number negative
	Flags  uint32
}

// Buffer is the number of the buffer that was filled, if one was.
func (c *Completion) Buffer() (id uint16, ok bool) {
	return uint16(c.Flags >> 16), c.Flags&completionBuffer != 0
}

// More says that the submission goes on.
func (c *Completion) More() bool { return c.Flags&completionMore != 0 }

// received is struct io_uring_recvmsg_out, at the front of a buffer that a multishot recvmsg filled. Behind it there is as much room for the
// name and for control messages as the submission's message asked for, then the payload.
type received struct {
	nameLen, controlLen, payloadLen, flags uint32
}

type ringParams struct {
	sqEntries, cqEntries, flags, threadCPU, threadIdle, features, wqFD uint32
	_                                                                  [3]uint32
	sq                                                                 struct {
		head, tail, mask, entries, flags, dropped, array, _ uint32
		_                                                   uint64
	}
	cq struct {
		head, tail, mask, entries, overflow, cqes, flags, _ uint32
		_                                                   uint64
	}
}

type bufferReg struct {
	addr     uint64
	entries  uint32
	group, _ uint16
	_        [3]uint64
}

type bufferEntry struct {
	addr     uint64
	len      uint32
	id, tail uint16 // the first entry's last field is the ring's tail
}

// waitArg is struct io_uring_getevents_arg.
type waitArg struct {
	sigmask uint64
	_       [2]uint32
	timeout uint64
}

type cancelReg struct {
	addr    uint64
	fd      int32
	flags   uint32
	timeout timespec
	_       [4]uint64
}

// timespec is struct __kernel_timespec: of 64 bits everywhere.
type timespec struct{ seconds, nanoseconds int64 }
