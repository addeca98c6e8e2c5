package dnstest

import (
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"os"
	"slices"
	"testing"
	"time"
)

// patience is how long a Holder that has fewer than a burst waits for more.
const patience = time.Millisecond

// maxHeld is the most replies one burst may carry (Linux: UDP_MAX_SEGMENTS, 64
// before 6.9).
const maxHeld = 64

// holdAnswer is what stands behind the question in a Holder's reply: an A
// record of the name asked, TTL 60, 192.0.2.1.
const holdAnswer = "\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc0\x00\x02\x01"

// A Holder is a fast responder over plain UDP for counting what a client does:
// it holds its replies and releases many at once, to one socket of the client
// in one system call where the system can (Linux: UDP_SEGMENT). The reply to
// every question is one A record, 192.0.2.1.
type Holder struct {
	conn *net.UDPConn
	buf  []byte
	held map[netip.AddrPort]*pile
	seen []*pile // those of held, oldest first
	n    int     // replies held, in all piles
}

// pile is what is held for one socket of the client: replies end to end, all of
// one size, which is what one system call can send.
type pile struct {
	to     netip.AddrPort
	octets []byte
	size   int // of one reply
	n      int
}

// NewHolder opens a Holder that answers only when told: Receive, then Release.
// It is for one goroutine. With a single-threaded client on the same goroutine
// every count is exact. It is closed when the test ends.
func NewHolder(tb testing.TB) *Holder {
	tb.Helper()
	h, err := openHolder()
	if err != nil {
		tb.Fatalf("dnstest: %v", err)
	}
	tb.Cleanup(func() { h.conn.Close() })
	return h
}

// Hold starts a Holder on a goroutine of its own, which releases k replies (at
// most 64) to a client's socket once it holds so many for it, and all that it
// holds when nothing has come for a millisecond. It returns its address.
func Hold(tb testing.TB, k int) netip.AddrPort {
	tb.Helper()
	h, err := openHolder()
	if err != nil {
		tb.Fatalf("dnstest: %v", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.serve(k)
	}()
	tb.Cleanup(func() {
		h.conn.Close()
		<-done
	})
	return h.Addr()
}

func openHolder() (*Holder, error) {
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		return nil, err
	}
	growReceiveBuffer(conn, 8<<20) // best effort: a thousand small datagrams need about 1 MiB
	return &Holder{conn: conn, buf: make([]byte, 1<<16), held: make(map[netip.AddrPort]*pile)}, nil
}

// Addr is where the Holder listens.
func (h *Holder) Addr() netip.AddrPort { return addrPort(h.conn.LocalAddr()) }

// Held is the number of replies held.
func (h *Holder) Held() int { return h.n }

// Receive reads n queries and holds their replies. It fails when one has not
// come within 5 s.
func (h *Holder) Receive(n int) error {
	if err := h.conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	for range n {
		if _, err := h.receive(maxHeld); err != nil {
			return err
		}
	}
	return nil
}

// Release sends the replies held for the client's socket that has waited
// longest, at most k of them, and returns how many.
func (h *Holder) Release(k int) (int, error) {
	for _, p := range h.seen {
		if p.n > 0 {
			return h.send(p, k)
		}
	}
	return 0, nil
}

// serve runs until the socket is closed.
func (h *Holder) serve(k int) {
	k = min(k, maxHeld)
	for {
		if h.n > 0 {
			h.conn.SetReadDeadline(time.Now().Add(patience))
		} else {
			h.conn.SetReadDeadline(time.Time{})
		}
		p, err := h.receive(k)
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case errors.Is(err, os.ErrDeadlineExceeded):
			for _, p := range h.seen {
				for p.n > 0 {
					h.send(p, k)
				}
			}
		case err == nil && p != nil && p.n >= k:
			h.send(p, k)
		}
	}
}

// receive reads one query and piles its reply up; p is nil for what is none.
func (h *Holder) receive(k int) (p *pile, err error) {
	n, from, err := h.conn.ReadFromUDPAddrPort(h.buf)
	if err != nil {
		return nil, err
	}
	end := questionEnd(h.buf[:n])
	if end == 0 {
		return nil, nil
	}
	p = h.held[from]
	if p == nil {
		p = &pile{to: from, octets: make([]byte, 0, maxHeld*64)}
		h.held[from] = p
		h.seen = append(h.seen, p)
	}
	if p.n > 0 && p.size != end+len(holdAnswer) {
		for p.n > 0 { // another size cannot share a burst
			h.send(p, k)
		}
	}
	p.add(h.buf[:end])
	h.n++
	return p, nil
}

// add appends the reply to the query's header and question.
func (p *pile) add(query []byte) {
	at := len(p.octets)
	p.octets = append(append(p.octets, query...), holdAnswer...)
	head := p.octets[at:]
	head[2] |= 0x80 // QR
	head[3] = 0x80  // RA, NOERROR
	binary.BigEndian.PutUint16(head[6:], 1)
	binary.BigEndian.PutUint32(head[8:], 0) // the query's OPT is left out
	p.size = len(head)
	p.n++
}

// send releases at most k replies of p.
func (h *Holder) send(p *pile, k int) (int, error) {
	n := min(k, p.n, maxHeld)
	cut := n * p.size
	err := burst(h.conn, p.octets[:cut], p.size, p.to)
	p.octets = append(p.octets[:0], p.octets[cut:]...)
	p.n -= n
	h.n -= n
	return n, err
}

// sendEach sends datagrams of size octets each, which lie end to end, one by
// one.
func sendEach(c *net.UDPConn, octets []byte, size int, to netip.AddrPort) error {
	for msg := range slices.Chunk(octets, size) {
		if _, err := c.WriteToUDPAddrPort(msg, to); err != nil {
			return err
		}
	}
	return nil
}
