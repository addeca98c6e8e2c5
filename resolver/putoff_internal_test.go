package resolver

import (
	"testing"

	"github.com/dnsq/dnsq/ioevent"
)

type neverDry struct{}

func (neverDry) HandleEvent(ioevent.Event) (dry bool) { return false }

// TestPutOff: a timeout waits for what is unread on its own socket, and not for ever, however much comes.
func TestPutOff(t *testing.T) {
	e, err := NewEngine(Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	busy, calm := &udpSocket{token: e.loop.Register(neverDry{})}, &udpSocket{token: e.loop.Register(neverDry{})}
	e.loop.Ready(busy.token)
	p, other := &pending{sock: busy}, &pending{sock: calm}
	for _, received := range []uint64{0, 1, 1000} { // in each turn
		most := maxPutOff/(received+1) + 1
		n := uint64(0)
		for ; e.unread(p) && n <= most; n++ {
			if e.unread(other) {
				t.Fatal("a timeout waits for another socket")
			}
			e.stats.Received += received
			e.putOff.next(e.stats.Received)
		}
		if n > most || n < most-1 {
			t.Errorf("with %d messages a turn: put off %d times, want %d", received, n, most)
		}
		e.putOff.next(e.stats.Received)
		if e.unread(p) {
			t.Error("put off again in the turn after")
		}
		e.putOff.next(e.stats.Received)
		e.putOff.next(e.stats.Received) // a turn without
		if !e.unread(p) {
			t.Error("not put off again after a turn without")
		}
		e.putOff = putOff{from: e.stats.Received}
	}
}
