package responder

import (
	"errors"
	"net/netip"
	"slices"
	"testing"

	"github.com/dnsq/dnsq/backend"
)

// scripted is a socket that takes so many datagrams and then says it is full, and whose queries are in a list.
type scripted struct {
	in     []backend.Datagram
	room   int
	bad    int // the port that it refuses
	sent   []byte
	noting bool
	more   bool // never dry
}

func (s *scripted) FD() int { return -1 }
func (s *scripted) Recv(batch []backend.Datagram) (int, bool, error) {
	n := copy(batch, s.in)
	return n, !s.more, nil
}

func (s *scripted) Send(batch []backend.Datagram) (n int, err error) {
	for i := range batch {
		switch {
		case s.room == 0:
			return i, nil
		case s.bad != 0 && int(batch[i].Addr.Port()) == s.bad:
			return i, errors.New("refused")
		}
		s.room--
		if s.noting {
			s.sent = append(s.sent, batch[i].Data[0])
		}
	}
	return len(batch), nil
}
func (s *scripted) LocalAddr() netip.AddrPort { return netip.AddrPort{} }
func (s *scripted) Stats() backend.Stats      { return backend.Stats{} }
func (s *scripted) Close() error              { return nil }

func (o *outbox) post(port uint16, octet byte) {
	o.add(netip.AddrPortFrom(netip.IPv6Loopback(), port), append(o.room(), octet))
}

// A full socket keeps what comes after, in order, until there is room.
func TestOutboxFull(t *testing.T) {
	s := &scripted{room: 3, noting: true}
	var counts tally
	o := outbox{sock: s, tally: &counts}
	var want []byte
	for i := range byte(200) {
		o.post(1, i)
		want = append(want, i)
		if i%10 == 9 {
			o.flush()
		}
	}
	if counts[answered] != 3 || o.backlog.len() != 197 {
		t.Fatalf("%d sent, %d wait; want 3 and 197", counts[answered], o.backlog.len())
	}
	s.room = 90
	o.resume()
	s.room = 1 // not for this one: others came before
	o.post(1, 200)
	o.flush()
	s.room = 1000
	o.resume()
	if want = append(want, 200); !slices.Equal(s.sent, want) {
		t.Errorf("sent %v", s.sent)
	}
	if counts != (tally{answered: 201}) {
		t.Errorf("counted %v", counts)
	}
}

func TestOutboxOverflow(t *testing.T) {
	var counts tally
	o := outbox{sock: &scripted{}, tally: &counts}
	for range maxBacklog + 7 {
		o.post(1, 0)
		o.flush()
	}
	if counts != (tally{unsent: 7}) || o.backlog.len() != maxBacklog {
		t.Errorf("counted %v, %d wait", counts, o.backlog.len())
	}
}

// An error belongs to one reply.
func TestOutboxError(t *testing.T) {
	s := &scripted{room: 100, bad: 2, noting: true}
	var counts tally
	o := outbox{sock: s, tally: &counts}
	for _, port := range []uint16{1, 2, 1, 2, 2, 1} {
		o.post(port, byte(port))
	}
	o.flush()
	if counts != (tally{answered: 3, unsent: 3}) || !slices.Equal(s.sent, []byte{1, 1, 1}) {
		t.Errorf("counted %v, sent %v", counts, s.sent)
	}
}

// The room is always enough for the longest reply: what is there is sent before.
func TestOutboxRoom(t *testing.T) {
	var counts tally
	o := outbox{sock: &scripted{room: 1000}, tally: &counts}
	for range 20 {
		room := o.room()
		if cap(room) < maxUDP {
			t.Fatalf("room for %d octets", cap(room))
		}
		o.add(netip.AddrPort{}, room[:maxUDP])
	}
	o.flush()
	if counts != (tally{answered: 20}) {
		t.Errorf("counted %v", counts)
	}
}
