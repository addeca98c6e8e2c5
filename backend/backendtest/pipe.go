package backendtest

import (
	"io"
	"net"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// window is how many octets of a stream may be on their way or wait to be read, in one direction.
const window = 1 << 16

// A pipe is one direction of a stream. Under the network's lock.
type pipe struct {
	net      *Network
	readable func() // something to read, or the end
	writable func() // room again
	buf      []byte // has arrived
	flight   int    // octets on their way
	last     time.Time
	ended    bool  // the writer wrote its last
	err      error // what a Read that finds buf empty returns: io.EOF, a reset
	gone     error // what a Write returns: nobody reads any more
}

// after schedules what the writer did, in the order it was done.
func (p *pipe) after(run func()) {
	at := time.Now().Add(p.net.faults.Delay)
	if at.Before(p.last) {
		at = p.last
	}
	p.last = at
	p.net.schedule.add(at, run)
}

// write sends as much of b as there is room for.
func (p *pipe) write(b []byte) (n int, err error) {
	switch {
	case p.gone != nil:
		return 0, p.gone
	case p.ended:
		return 0, net.ErrClosed
	}
	n = min(len(b), window-len(p.buf)-p.flight)
	if n == 0 {
		return 0, nil
	}
	data := append([]byte(nil), b[:n]...)
	p.flight += n
	p.after(func() {
		p.flight -= n
		if p.err == nil {
			p.buf = append(p.buf, data...)
			p.readable()
		}
	})
	return n, nil
}

// read takes what has arrived, at most Faults.Segment octets. Nothing and no error: wait.
func (p *pipe) read(b []byte) (n int, err error) {
	if len(p.buf) == 0 {
		return 0, p.err
	}
	if s := p.net.faults.Segment; s > 0 {
		b = b[:min(len(b), s)]
	}
	n = copy(b, p.buf)
	p.buf = p.buf[n:]
	p.writable()
	return n, nil
}

// end tells the reader that nothing follows.
func (p *pipe) end() {
	if p.ended {
		return
	}
	p.ended = true
	p.after(func() {
		if p.err == nil {
			p.err = io.EOF
			p.readable()
		}
	})
}

// reset makes both ends fail once the news has travelled; what had arrived can still be read, as on Linux.
func (p *pipe) reset() {
	p.ended = true
	p.after(func() {
		p.err, p.gone = memoryError(backend.ErrReset), memoryError(backend.ErrReset)
		p.readable()
		p.writable()
	})
}

// abandon says that nobody will read: the writer is told, earlier than TCP would, which waits for the next octets.
func (p *pipe) abandon() {
	p.buf = nil
	p.after(func() {
		p.gone = memoryError(backend.ErrReset)
		p.writable()
	})
}
