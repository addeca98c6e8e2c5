package backendtest

import (
	"net/netip"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// testStamps receives what has been waiting for a while: single datagrams, what may travel as a train, and one longer than Buf; connected and not.
func testStamps(t *testing.T, h *harness) {
	for _, connected := range []bool{false, true} {
		from := h.open(t, backend.Config{})
		back := netip.AddrPortFrom(h.loopback, from.LocalAddr().Port())
		cfg := backend.Config{Stamps: true, RecvBuffer: 1 << 18}
		if connected {
			cfg.Remote, cfg.Local = back, h.local()
		}
		to := h.open(t, cfg)
		at := netip.AddrPortFrom(h.loopback, to.LocalAddr().Port())
		to.sendAll(t, numbered(2, 10, back)) // from now on it may receive trains
		h.untilStamped(t, to, from, at)
		for _, batch := range [][]backend.Datagram{numbered(1, 10, at), numbered(20, 100, at), numbered(3, 2*slot, at)} {
			sent, got, read := to.waited(t, from, batch)
			for i, d := range got {
				if number := int(d.Data[0])<<8 | int(d.Data[1]); number != i || d.Addr.Port() != from.LocalAddr().Port() {
					t.Errorf("connected %v: datagram %d of %d has number %d and came from %v, want %v", connected, i, len(batch), number, d.Addr, from.LocalAddr())
				}
				if stamp := time.Unix(0, d.Stamp); !h.stamps(to) && d.Stamp != 0 || h.stamps(to) && (stamp.Before(sent) || stamp.After(read)) {
					t.Errorf("connected %v: datagram %d of %d came at %v, was sent after %v and received after %v", connected, i, len(batch), stamp, sent, read)
				}
			}
		}
	}
}

// stamps says that the socket gives stamps.
func (h *harness) stamps(e *endpoint) bool { return givesStamps && !h.memory() && e.FD() >= 0 }

// waited has batch sent from from, and received a little later. It returns times before the one and before the other.
func (e *endpoint) waited(t *testing.T, from *endpoint, batch []backend.Datagram) (sent time.Time, got []backend.Datagram, read time.Time) {
	t.Helper()
	sent = time.Now()
	from.sendAll(t, batch)
	time.Sleep(settle / 10)
	read = time.Now()
	return sent, e.collect(t, len(batch)), read
}

// untilStamped waits until the kernel stamps what comes when it comes: with the first socket that wants it, it begins a little later.
func (h *harness) untilStamped(t *testing.T, to, from *endpoint, at netip.AddrPort) {
	t.Helper()
	if !h.stamps(to) {
		return
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if _, got, read := to.waited(t, from, numbered(1, 10, at)); got[0].Stamp < read.UnixNano() {
			return
		}
	}
	t.Errorf("nothing was stamped ahead of its receipt in %v", patience)
}
