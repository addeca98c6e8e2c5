package ioevent_test

import (
	"testing"

	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/internal/sys"
	"github.com/dnsq/dnsq/ioevent"
)

// TestBusyParameters asks the kernel what each poller's epoll was given.
func TestBusyParameters(t *testing.T) {
	for name, want := range map[string]sys.EpollParams{"edge": {}, "busy": {Micros: 50, Budget: 64, Prefer: 1}} {
		m, err := ioevent.Named(name)
		if err != nil {
			require.Skip(t, "%v", err)
		}
		p, err := m.Open(new(ioevent.Counters))
		if err != nil {
			t.Fatal(err)
		}
		got, errno := sys.GetEpollParams(p.(ioevent.Descriptor).FD())
		if errno != 0 || got != want {
			t.Errorf("%s: %+v, %v; want %+v", name, got, errno, want)
		}
		p.Close()
	}
}
