package backend

import (
	"bytes"
	"errors"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// TestAsksForTrains: the option is for sockets that send batches.
func TestAsksForTrains(t *testing.T) {
	s := openTrains(t, Config{})
	to := s.LocalAddr()
	for i, want := range []int{0, 0, 1} {
		batch := make([]Datagram, i)
		for k := range batch {
			batch[k].Addr = to
		}
		if n, err := s.Send(batch); n != i || err != nil {
			t.Fatalf("Send = %d, %v, want %d, nil", n, err, i)
		}
		if got, err := unix.GetsockoptInt(s.fd, unix.IPPROTO_UDP, unix.UDP_GRO); got != want || err != nil {
			t.Errorf("behind a batch of %d: UDP_GRO is %d, %v, want %d", i, got, err, want)
		}
	}
}

// TestTrainIn receives a train as one message, in a call for a batch that it does not fit into.
func TestTrainIn(t *testing.T) {
	to := openTrains(t, Config{Batch: 8})
	from := openTrains(t, Config{Remote: to.LocalAddr(), Batch: 100})
	hello := []Datagram{{Data: []byte("1"), Addr: from.LocalAddr()}, {Data: []byte("2"), Addr: from.LocalAddr()}}
	if n, err := to.Send(hello); n != 2 || err != nil { // asks for trains
		t.Fatalf("Send = %d, %v, want 2, nil", n, err)
	}
	const count, size = 60, 500
	batch := ofLengths(slices.Repeat([]int{size}, count))
	for i := range batch {
		batch[i].Data[0], batch[i].Data[size-1] = byte(i), byte(i)
	}
	if n, err := from.Send(batch); n != count || err != nil || from.stats.Syscalls != 1 {
		t.Fatalf("Send = %d, %v in %d calls, want %d, nil in 1", n, err, from.stats.Syscalls, count)
	}
	time.Sleep(10 * time.Millisecond)
	in := make([]Datagram, 20) // one call moves 8
	for i := range in {
		in[i].Buf = make([]byte, 2048)
	}
	for got := 0; got < count; {
		n, dry, err := to.Recv(in)
		if n == 0 || n > 8 || err != nil || dry != (got+n == count) {
			t.Fatalf("Recv = %d, %v, %v, with %d of %d there", n, dry, err, got, count)
		}
		for i, d := range in[:n] {
			if want := batch[got+i].Data; !bytes.Equal(d.Data, want) || d.Addr != from.LocalAddr() {
				t.Fatalf("datagram %d: %d octets from %v, the first %d", got+i, len(d.Data), d.Addr, d.Data[0])
			}
		}
		got += n
	}
	if to.Recv(in); len(to.kept.octets) != 0 {
		t.Errorf("%d octets are kept", len(to.kept.octets))
	}
	if to.stats.Syscalls != 5 { // one to send, and of three that found nothing more one for reports
		t.Errorf("%d calls, want 3", to.stats.Syscalls)
	}
}

// TestKeptAndMore has one call return what was kept, and keep what the same call received too much of, behind a pending error.
func TestKeptAndMore(t *testing.T) {
	to := openTrains(t, Config{})
	if err := unix.SetsockoptInt(to.fd, unix.IPPROTO_UDP, unix.UDP_GRO, 1); err != nil {
		t.Fatal(err)
	}
	from := openTrains(t, Config{Remote: to.LocalAddr()})
	if n, err := from.Send([]Datagram{{Data: []byte("aa")}, {Data: []byte("bb")}, {Data: []byte("cc")}}); n != 3 || err != nil {
		t.Fatalf("Send = %d, %v, want 3, nil", n, err)
	}
	to.kept.push(message{data: []byte("old"), size: 3})
	calls := 0
	to.recvmmsg = func(fd int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
		if calls++; calls == 1 {
			return 0, unix.ECONNREFUSED
		}
		return sys.Recvmmsg(fd, msgs)
	}
	in := []Datagram{{Buf: make([]byte, 64)}, {Buf: make([]byte, 64)}, {Buf: make([]byte, 64)}}
	for _, want := range []string{"old aa bb", "cc"} {
		if n, dry, err := to.Recv(in); dry != (want == "cc") || err != nil || text(in[:n]) != want {
			t.Errorf("Recv = %d, %v, %v: %q, want %q", n, dry, err, text(in[:n]), want)
		}
	}
}

// TestTrainReport has nobody listen: the kernel reports on the train once, beginning with the octets of its first datagram.
func TestTrainReport(t *testing.T) {
	dead := openTrains(t, Config{})
	to := dead.LocalAddr()
	dead.Close()
	s := openTrains(t, Config{Remote: to})
	batch := ofLengths(slices.Repeat([]int{40}, 50))
	copy(batch[0].Data, "first")
	if n, err := s.Send(batch); n != 50 || err != nil {
		t.Fatalf("Send = %d, %v, want 50, nil", n, err)
	}
	in := []Datagram{{Buf: make([]byte, 2048)}, {Buf: make([]byte, 2048)}}
	n := 0
	for end := time.Now().Add(5 * time.Second); n == 0 && time.Now().Before(end); time.Sleep(time.Millisecond) {
		n, _, _ = s.Recv(in)
	}
	d := in[0]
	if n != 1 || !errors.Is(d.Err, ErrRefused) || d.Addr != to || len(d.Data) <= 40 || !bytes.HasPrefix(d.Data, batch[0].Data) {
		t.Errorf("%d entries; %v about %v with %d octets, want one, %v about %v with more octets than the first datagram's",
			n, d.Err, d.Addr, len(d.Data), ErrRefused, to)
	}
}
