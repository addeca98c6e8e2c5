package backend_test

import (
	"errors"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/require"
	"golang.org/x/sys/unix"
)

func option(t *testing.T, fd, option int) int {
	t.Helper()
	value, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, option)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// TestBusyPollOptions reads the options back, the budget apart, which cannot be.
func TestBusyPollOptions(t *testing.T) {
	ln, err := net.Listen("tcp", loopback.String())
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for _, b := range backend.List() {
		if only := require.Backend(); only != "" && only != b.Name || b.Probe() != nil {
			continue
		}
		for _, tt := range []struct {
			set         backend.BusyPoll
			usec, first int
		}{
			{backend.BusyPoll{}, 0, 0},
			{backend.BusyPoll{Time: 50 * time.Microsecond}, 50, 0},
			{backend.BusyPoll{Time: 70 * time.Microsecond, Prefer: true, Budget: 64}, 70, 1},
		} {
			t.Run(b.Name, func(t *testing.T) {
				seen := make(chan [2]int, 2) // in Control, which comes after: the net backend shows its descriptor nowhere else
				cfg := backend.Config{Remote: ln.Addr().(*net.TCPAddr).AddrPort(), BusyPoll: tt.set}
				cfg.Control = func(_ string, fd uintptr) error {
					seen <- [2]int{option(t, int(fd), unix.SO_BUSY_POLL), option(t, int(fd), unix.SO_PREFER_BUSY_POLL)}
					return nil
				}
				s, err := b.Open(cfg)
				if errors.Is(err, backend.ErrDenied) {
					require.Skip(t, "%v", err)
				}
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				st, err := b.Dial(cfg)
				if err != nil {
					t.Fatal(err)
				}
				defer st.Close()
				for _, kind := range []string{"socket", "stream"} {
					if got := <-seen; got != [2]int{tt.usec, tt.first} {
						t.Errorf("%s of %+v: %d µs, prefer %d; want %d, %d", kind, tt.set, got[0], got[1], tt.usec, tt.first)
					}
				}
			})
		}
	}
}

// TestBusyPollDenied drops the capability, on a thread that ends with the test.
func TestBusyPollDenied(t *testing.T) {
	described(t, func(t *testing.T, b backend.Backend) {
		runtime.LockOSThread()
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		if err := unix.Capset(&header, &none[0]); err != nil {
			t.Fatal(err)
		}
		for _, set := range []backend.BusyPoll{{Prefer: true}, {Budget: 64}} { // Time is up to the kernel's age
			s, err := b.Open(backend.Config{Local: loopback, BusyPoll: set})
			if err == nil {
				s.Close()
			}
			if !errors.Is(err, backend.ErrDenied) {
				t.Errorf("%+v without capabilities: %v, want %v", set, err, backend.ErrDenied)
			}
		}
	})
}

func TestBusyPollRefused(t *testing.T) {
	for _, b := range backend.List() {
		for _, tt := range []struct {
			set  backend.BusyPoll
			want string
		}{
			{backend.BusyPoll{Time: -time.Microsecond}, "-1µs"},
			{backend.BusyPoll{Time: 1500}, "1.5µs"},
			{backend.BusyPoll{Time: time.Hour}, "1h0m0s"},
			{backend.BusyPoll{Budget: -1}, "-1 packets"},
			{backend.BusyPoll{Budget: 1 << 16}, "65536 packets"},
		} {
			s, err := b.Open(backend.Config{Local: loopback, BusyPoll: tt.set})
			if err == nil {
				s.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "possible") {
				t.Errorf("%s, %+v: %v, want an error with %q and what would be right", b.Name, tt.set, err, tt.want)
			}
		}
	}
}
