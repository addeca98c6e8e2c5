package responder

import (
	"net/netip"

	"github.com/dnsq/dnsq/backend"
)

const (
	outboxSize = 4 * maxUDP
	maxBacklog = 4096 // replies that wait for a full socket; what is beyond them is dropped
)

// An outbox collects replies, which leave together in the order in which they came: a client's queries come in trains, and so do their
// replies leave.
type outbox struct {
	sock    backend.Socket
	tally   *tally
	buf     []byte // of those in list
	list    []backend.Datagram
	backlog fifo // what found the socket full
}

// room returns where to append a reply of any length.
func (o *outbox) room() []byte {
	if cap(o.buf)-len(o.buf) < maxUDP {
		o.flush()
		if o.buf == nil {
			o.buf = make([]byte, 0, outboxSize)
		}
	}
	return o.buf[len(o.buf):]
}

// add takes a reply that was appended to room.
func (o *outbox) add(addr netip.AddrPort, reply []byte) {
	o.buf = o.buf[:len(o.buf)+len(reply)]
	n := len(o.list)
	if n == cap(o.list) {
		o.list = append(o.list, backend.Datagram{})
	}
	o.list = o.list[:n+1]
	o.list[n].Data, o.list[n].Addr = reply, addr // the rest of an entry stays zero
}

// flush sends what was added, or has it wait for room.
func (o *outbox) flush() {
	if len(o.list) == 0 {
		return
	}
	rest := o.list
	if o.backlog.len() == 0 {
		rest = rest[o.send(rest):]
	}
	for i := range rest {
		if o.backlog.len() == maxBacklog {
			o.tally[unsent] += uint64(len(rest) - i)
			break
		}
		o.backlog.push(rest[i].Addr, rest[i].Data)
	}
	o.list, o.buf = o.list[:0], o.buf[:0]
}

// send sends list until the socket is full and returns how many are done with.
func (o *outbox) send(list []backend.Datagram) (done int) {
	for done < len(list) {
		n, err := o.sock.Send(list[done:])
		o.tally[answered] += uint64(n)
		done += n
		if err == nil {
			break
		}
		o.tally[unsent]++ // the one behind those; UDP may lose replies
		done++
	}
	return done
}

// resume sends what waits. There is room again.
func (o *outbox) resume() {
	for o.backlog.len() > 0 {
		run := o.backlog.run()
		n := o.send(run)
		o.backlog.drop(n)
		if n < len(run) {
			return
		}
	}
}
