package sys

import (
	"reflect"
	"syscall"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/require"
	"golang.org/x/sys/unix"
)

func openTestRing(t *testing.T) *Ring {
	t.Helper()
	r, errno := OpenRing(4, 16)
	if errno != 0 {
		require.Skip(t, "io_uring_setup: %v", errno)
	}
	t.Cleanup(r.Close)
	return r
}

// polled is what poll(2) says about the ring's descriptor.
func polled(t *testing.T, r *Ring) int16 {
	t.Helper()
	fds := []unix.PollFd{{Fd: int32(r.FD()), Events: unix.POLLIN | unix.POLLOUT}}
	if _, err := unix.Poll(fds, 0); err != nil {
		t.Fatal(err)
	}
	return fds[0].Revents
}

// TestRingSizes has them from linux/io_uring.h.
func TestRingSizes(t *testing.T) {
	for v, want := range map[any]uintptr{
		Submission{}: 64, Completion{}: 16, ringParams{}: 120, bufferReg{}: 40, bufferEntry{}: 16, cancelReg{}: 64, waitArg{}: 24, received{}: 16,
	} {
		if got := reflect.TypeOf(v).Size(); got != want {
			t.Errorf("%T has %d octets, want %d", v, got, want)
		}
	}
}

// TestRingGoesRound submits more than fits in, so that both rings wrap.
func TestRingGoesRound(t *testing.T) {
	r := openTestRing(t)
	for tag := uint64(0); tag < 100; {
		for range 1 + tag%4 {
			r.Next().Tag = tag
			tag++
		}
		want := 4 - r.Room()
		if n, errno := r.Submit(); n != want || errno != 0 {
			t.Fatalf("Submit = %d, %v, want %d", n, errno, want)
		}
		if r.Room() != 4 || r.Len() != want {
			t.Fatalf("room for %d, %d completions, want 4, %d", r.Room(), r.Len(), want)
		}
		for i := range want {
			if c := r.At(i); c.Tag != tag-uint64(want-i) || c.Result != 0 {
				t.Errorf("completion %d is %+v, want tag %d", i, *c, tag-uint64(want-i))
			}
		}
		r.Advance(want)
	}
}

// TestRingPolls has the descriptor readable while there are completions, and writable unless it is blocked, whatever is submitted meanwhile.
func TestRingPolls(t *testing.T) {
	r := openTestRing(t)
	expect := func(when string, want int16) {
		if got := polled(t, r); got != want {
			t.Errorf("%s: events %#x, want %#x", when, got, want)
		}
	}
	expect("new", unix.POLLOUT)
	r.Block(true)
	expect("blocked", 0)
	r.Next()
	if n, errno := r.Submit(); n != 1 || errno != 0 {
		t.Fatalf("Submit while blocked = %d, %v, want 1", n, errno)
	}
	expect("blocked, with a completion", unix.POLLIN)
	r.Advance(1)
	r.Block(false)
	expect("as before", unix.POLLOUT)
}

func TestRingRemove(t *testing.T) {
	r := openTestRing(t)
	for range 5 { // across the end of the ring
		for tag := range 4 {
			r.Next().Tag = uint64(tag)
		}
		r.Submit()
		for _, left := range [][]uint64{{0, 1, 3}, {1, 3}, {1}, {}} { // without the third, the first, the last, the only one
			r.Remove([]int{0, 1, 0, 2}[len(left)])
			if r.Len() != len(left) {
				t.Fatalf("%d completions, want %d", r.Len(), len(left))
			}
			for i, tag := range left {
				if c := r.At(i); c.Tag != tag {
					t.Errorf("completion %d of %v has tag %d", i, left, c.Tag)
				}
			}
		}
	}
}

func TestRingWaits(t *testing.T) {
	r := openTestRing(t)
	start := time.Now()
	if errno := r.Wait(20 * time.Millisecond); errno != unix.ETIME || time.Since(start) < 20*time.Millisecond {
		t.Errorf("Wait = %v after %v, want ETIME after 20ms", errno, time.Since(start))
	}
	r.Next()
	if errno := r.Wait(time.Minute); errno != 0 || r.Len() != 1 {
		t.Errorf("Wait = %v, %d completions, want 1", errno, r.Len())
	}
}

// TestRingLink has the second of three linked requests fail: the third is not begun, and only the failure is told.
func TestRingLink(t *testing.T) {
	r := openTestRing(t)
	const none = 1 << 30 // not a descriptor
	for i, fd := range []int32{int32(r.FD()), none, int32(r.FD())} {
		q := r.Next()
		q.Tag, q.Flags = uint64(i), SubmitSkipSuccess
		if i < 2 {
			q.Flags |= SubmitLink
		}
		if q.FD = fd; fd == none {
			q.Op = OpPollAdd
		}
	}
	if n, errno := r.Submit(); n != 3 || errno != 0 {
		t.Fatalf("Submit = %d, %v, want 3", n, errno)
	}
	if r.Len() != 1 || r.At(0).Tag != 1 || r.At(0).Result != -int32(unix.EBADF) {
		t.Errorf("%d completions, the first %+v, want one with tag 1 and EBADF", r.Len(), *r.At(0))
	}
}

// TestBuffersGoRound receives more than there are buffers.
func TestBuffersGoRound(t *testing.T) {
	r := openTestRing(t)
	b, errno := r.OpenBuffers(2, 100, 0)
	if errno != 0 {
		require.Skip(t, "no buffers: %v", errno)
	}
	defer b.Close()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(pair[0])
	defer unix.Close(pair[1])
	defer r.Cancel()
	msg := new(unix.Msghdr)
	b.Message(msg)
	more := false
	for i := range 300 {
		if !more {
			q := r.Next()
			q.Op, q.FD, q.Flags, q.Priority = OpRecvmsg, int32(pair[0]), SubmitBufferSelect, RecvMultishot
			q.SetMessage(msg)
			if n, errno := r.Submit(); n != 1 || errno != 0 {
				t.Fatalf("Submit = %d, %v, want 1", n, errno)
			}
		}
		sent := make([]byte, i)
		if i > 0 {
			sent[i-1] = byte(i)
		}
		if err := unix.Sendto(pair[1], sent, 0, nil); err != nil {
			t.Fatal(err)
		}
		if errno := r.Wait(5 * time.Second); r.Len() == 0 {
			t.Fatalf("no completion for %d octets: %v", i, errno)
		}
		c := *r.At(0)
		r.Advance(r.Len())
		more = c.More() // not after an empty one
		id, ok := c.Buffer()
		if !ok {
			t.Fatalf("%d octets: %v", i, syscall.Errno(-c.Result))
		}
		payload, _, truncated := b.Received(id)
		if len(payload) != min(i, 100) || truncated != (i > 100) || i > 0 && i <= 100 && payload[i-1] != byte(i) {
			t.Fatalf("%d octets came as %d, truncated %v", i, len(payload), truncated)
		}
		b.Give(id)
		b.Publish()
	}
}
