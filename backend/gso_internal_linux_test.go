package backend

import (
	"errors"
	"net/netip"
	"slices"
	"syscall"
	"testing"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

func openTrains(t *testing.T, cfg Config) *gsoSocket {
	t.Helper()
	if err := probeGSO(); err != nil {
		t.Skip(err)
	}
	if !cfg.Remote.IsValid() && !cfg.Local.IsValid() {
		cfg.Local = netip.MustParseAddrPort("127.0.0.1:0")
	}
	s, err := openGSO(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s.(*gsoSocket)
}

// TestProbeTrains refuses one thing after another: Named then goes on to the next backend and says why.
func TestProbeTrains(t *testing.T) {
	for _, tt := range []struct {
		name            string
		socket          syscall.Errno // of IPv4
		socket6         syscall.Errno
		segment, gro    error
		feature, kernel string // "": it works
	}{
		{name: "all there"},
		{name: "no IPv4", socket: unix.EAFNOSUPPORT},
		{name: "no sockets", socket: unix.EPERM, socket6: unix.EPERM, feature: "a UDP socket"},
		{name: "no UDP_SEGMENT", segment: unix.ENOPROTOOPT, feature: "UDP_SEGMENT", kernel: "4.18"},
		{name: "no UDP_GRO", gro: unix.ENOPROTOOPT, feature: "UDP_GRO", kernel: "5.0"},
		{name: "getsockopt is forbidden", segment: unix.EPERM, feature: "UDP_SEGMENT", kernel: "4.18"},
		{name: "getsockopt is unknown", segment: unix.ENOSYS, feature: "UDP_SEGMENT", kernel: "4.18"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			socket := func(family, typ int) (int, syscall.Errno) {
				if errno := map[int]syscall.Errno{unix.AF_INET: tt.socket, unix.AF_INET6: tt.socket6}[family]; errno != 0 {
					return -1, errno
				}
				return sys.Socket(unix.AF_UNIX, typ)
			}
			getsockopt := func(_, _, option int) (int, error) {
				return 0, map[int]error{unix.UDP_SEGMENT: tt.segment, unix.UDP_GRO: tt.gro}[option]
			}
			probe := func() error { return probeTrains(socket, getsockopt) }
			b, err := named([]Backend{{Name: "gso", Probe: probe}, {Name: "next", Probe: probeRecvfrom}}, "")
			if want := map[bool]string{true: "gso", false: "next"}[tt.feature == ""]; err != nil || b.Name != want {
				t.Fatalf("the best is %q, %v, want %q", b.Name, err, want)
			}
			why, ok := errors.AsType[*UnsupportedError](probe())
			if ok != (tt.feature != "") || ok && (why.Backend != "gso" || why.Feature != tt.feature || why.MinKernel != tt.kernel || why.Err == nil) {
				t.Errorf("the probe says %v, want that %q is missing", why, tt.feature)
			}
		})
	}
}

// sends records what a script was given: the datagrams in each message of each call, by their octets over size.
func sends(t *testing.T, size int, steps []step) (call func(int, []unix.Mmsghdr) (int, syscall.Errno), seen *[][]int) {
	seen = new([][]int)
	return func(_ int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
		var datagrams []int
		for i := range msgs {
			datagrams = append(datagrams, int(msgs[i].Hdr.Iov.Len)/size)
		}
		*seen = append(*seen, datagrams)
		if len(*seen) > len(steps) {
			t.Fatalf("call %d, want %d", len(*seen), len(steps))
		}
		step := steps[len(*seen)-1]
		return min(step.n, len(msgs)), step.errno
	}, seen
}

const every = 1 << 10 // a step that takes all messages

func TestTrainResults(t *testing.T) {
	singles := func(n int) []int { return slices.Repeat([]int{1}, n) }
	for _, tt := range []struct {
		name  string
		count int // of datagrams
		steps []step
		calls [][]int
		n     int
		err   error
		rest  int
		most  int
	}{
		{"all", 130, []step{{every, 0}}, [][]int{{128, 2}}, 130, nil, 0, 128},
		{"one is no train", 1, []step{{every, 0}}, [][]int{{1}}, 1, nil, 0, 0},
		{"an older kernel", 130, []step{{0, unix.EINVAL}, {every, 0}}, [][]int{{128, 2}, {64, 64, 2}}, 130, nil, 0, 64},
		{"the path has no trains", 3, []step{{0, unix.EIO}, {every, 0}}, [][]int{{3}, singles(3)}, 3, nil, pause, 128},
		{"too long for the path", 3, []step{{0, unix.EMSGSIZE}, {every, 0}}, [][]int{{3}, singles(3)}, 3, nil, pause, 128},
		{"neither of the limits", 70, []step{{0, unix.EINVAL}, {0, unix.EINVAL}, {every, 0}}, [][]int{{70}, {64, 6}, singles(70)}, 70, nil, pause, 64},
		{"the second train", 130, []step{{1, 0}, {0, unix.EIO}, {every, 0}}, [][]int{{128, 2}, {2}, singles(2)}, 130, nil, pause, 128},
		{"too long alone, too", 2, []step{{0, unix.EMSGSIZE}, {0, unix.EMSGSIZE}, {0, unix.EMSGSIZE}}, [][]int{{2}, singles(2), singles(2)},
			0, ErrTooBig, pause, 128},
		{"full", 3, []step{{0, unix.EAGAIN}}, [][]int{{3}}, 0, nil, 0, 128},
		{"full behind the first", 130, []step{{1, 0}, {0, unix.EAGAIN}}, [][]int{{128, 2}, {2}}, 128, nil, 0, 128},
		{"no buffers", 3, []step{{0, unix.ENOBUFS}}, [][]int{{3}}, 0, ErrNoBuffers, 0, 128},
		{"another's error", 3, []step{{0, unix.ECONNREFUSED}, {every, 0}}, [][]int{{3}, singles(3)}, 3, nil, 0, 128},
		{"one is forbidden", 3, []step{{0, unix.EPERM}, {2, 0}, {0, unix.EPERM}, {0, unix.EPERM}}, [][]int{{3}, singles(3), {1}, {1}}, 2, ErrDenied, 0, 128},
		{"interrupted", 3, []step{{0, unix.EINTR}, {every, 0}}, [][]int{{3}, {3}}, 3, nil, 0, 128},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := openTrains(t, Config{Batch: 200})
			call, seen := sends(t, 10, tt.steps)
			s.sendmmsg = call
			n, err := s.Send(ofLengths(slices.Repeat([]int{10}, tt.count)))
			if n != tt.n || !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
				t.Errorf("Send = %d, %v, want %d, %v", n, err, tt.n, tt.err)
			}
			if !slices.EqualFunc(*seen, tt.calls, slices.Equal) {
				t.Errorf("datagrams in the messages of each call: %v, want %v", *seen, tt.calls)
			}
			if s.rest != tt.rest || s.arena.most != tt.most {
				t.Errorf("%d sends without trains, trains of %d at most, want %d, %d", s.rest, s.arena.most, tt.rest, tt.most)
			}
			if tt.rest > 0 && s.quiet() {
				t.Error("the error queue, which may have a copy of the refusal, is not looked at")
			}
			s.sendmmsg, seen = sends(t, 10, []step{{every, 0}})
			if _, err := s.Send(ofLengths([]int{10, 10})); err != nil || tt.rest == 0 && !slices.Equal((*seen)[0], []int{2}) {
				t.Errorf("the next Send: %v, datagrams in its messages: %v", err, *seen)
			}
		})
	}
}

// TestTrainsAfterRefusal: a path that refused trains is tried again after a number of sends, the socket's own.
func TestTrainsAfterRefusal(t *testing.T) {
	s := openTrains(t, Config{})
	longest := 0
	s.sendmmsg = func(_ int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
		longest = int(msgs[0].Hdr.Iov.Len) / 10
		if longest > 1 {
			return 0, unix.EIO
		}
		return len(msgs), 0
	}
	batch := ofLengths([]int{10, 10, 10})
	tries := 0
	for range 2*pause + 3 {
		before := s.stats.Syscalls
		if n, err := s.Send(batch); n != 3 || err != nil {
			t.Fatalf("Send = %d, %v, want 3, nil", n, err)
		}
		tries += int(s.stats.Syscalls - before - 1)
	}
	if tries != 3 {
		t.Errorf("trains were tried %d times in %d sends, want 3", tries, 2*pause+3)
	}
}

// TestSharedAreas: beyond the number of areas long messages may take each other's room. That is asked for only where it has been calm, and
// even then what is there of each is delivered.
func TestSharedAreas(t *testing.T) {
	s := openTrains(t, Config{Batch: 100})
	s.gro = true
	var asked []int
	s.recvmmsg = func(_ int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
		asked = append(asked, len(msgs))
		for i := range msgs {
			msgs[i].Len, msgs[i].Hdr.Controllen = 10, 0
		}
		return len(msgs), 0
	}
	in := make([]Datagram, 100)
	for i := range in {
		in[i].Buf = make([]byte, 100)
	}
	if n, dry, err := s.Recv(in); n != 100 || dry || err != nil || !slices.Equal(asked, []int{16, 32, 52}) {
		t.Errorf("Recv = %d, %v, %v, with calls for %v messages, want 100, false, nil, with [16 32 52]", n, dry, err, asked)
	}
	s.recvmmsg = func(_ int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
		for i := range msgs {
			msgs[i].Len, msgs[i].Hdr.Controllen = 150, 0
		}
		return 20, 0
	}
	n, _, err := s.Recv(in)
	if n != 20 || err != nil {
		t.Fatalf("Recv = %d, %v, want 20, nil", n, err)
	}
	for i, d := range in[:n] {
		if whole := i >= 4; d.Truncated == whole || len(d.Data) != map[bool]int{true: 150, false: 100}[whole] {
			t.Errorf("message %d: %d octets, truncated %v", i, len(d.Data), d.Truncated)
		}
	}
	if n := s.messages(100); n != areas {
		t.Errorf("after long messages %d are asked for, want %d", n, areas)
	}
}
