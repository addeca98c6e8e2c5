package responder

import (
	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// maxHeld bounds the replies of a socket that are not due yet; what is beyond them is dropped.
const maxHeld = 1 << 20

// A udpSocket is one socket of a shard.
type udpSocket struct {
	shard  *shard
	sock   backend.Socket
	token  ioevent.Token
	out    outbox
	full   bool         // writability is watched
	since  ioevent.Time // when what is received may have come, at the earliest
	behind bool         // there is more of that
	held   heap
	timer  ioevent.Timer // for the first of held
}

// HandleEvent answers one batch.
func (u *udpSocket) HandleEvent(ioevent.Event) (dry bool) {
	s := u.shard
	now := s.awake()
	if !u.behind {
		u.since = s.pulse.since(now)
	}
	u.out.resume()
	n, dry, err := u.sock.Recv(s.in[:min(len(s.in), s.loop.Share())])
	if err != nil {
		u.broken(err)
		return true
	}
	u.behind = !dry
	s.loop.Spent(n)
	for i := range s.in[:n] {
		if d := &s.in[i]; d.Err == nil { // a client that is gone is none of our business
			u.answer(d, now)
		}
	}
	u.finish()
	return dry
}

// answer answers d, now or later.
func (u *udpSocket) answer(d *backend.Datagram, now ioevent.Time) {
	s := u.shard
	s.tally[received]++
	reply := s.answerer.appendReply(u.out.room(), d.Data, true)
	if len(reply) == 0 {
		s.tally[ignored]++
		return
	}
	if s.server.gate == nil {
		u.out.add(d.Addr, reply)
		return
	}
	switch due, fate := s.server.gate.judge(u.since, now); {
	case fate != answered:
		s.tally[fate]++
	case due <= now:
		u.out.add(d.Addr, reply)
	case u.held.len() == maxHeld:
		s.tally[unsent]++
	default:
		u.held.push(due, d.Addr, reply)
	}
}

// Expire sends what is due.
func (u *udpSocket) Expire(ioevent.Time) {
	now := u.shard.awake()
	for u.held.len() > 0 && u.held.first().due <= now {
		e := u.held.pop()
		u.out.add(e.addr, append(u.out.room(), e.data...))
	}
	u.finish()
}

// finish ends a turn's work: it sends, sets the timer for what is held, and watches for room if there is none.
func (u *udpSocket) finish() {
	s := u.shard
	u.out.flush()
	s.counters.move(&s.tally)
	if u.held.len() > 0 {
		if due := u.held.first().due; !u.timer.Active() || due < u.timer.At() {
			s.loop.Start(&u.timer, due)
		}
	}
	if full := u.out.backlog.len() > 0; full != u.full {
		u.full = full
		u.watch()
	}
}

// watch asks for events. Sockets without a descriptor tell by themselves.
func (u *udpSocket) watch() {
	if u.sock.FD() < 0 {
		return
	}
	in := ioevent.Read
	if u.full {
		in |= ioevent.Write
	}
	if err := u.shard.loop.Watch(u.token, u.sock.FD(), in); err != nil {
		u.shard.server.fail(err)
	}
}

// broken is called with an error that the socket will not recover from.
func (u *udpSocket) broken(err error) {
	u.shard.loop.Unregister(u.token)
	u.shard.server.fail(err)
}

// close gives up what was not sent.
func (u *udpSocket) close() {
	u.shard.tally[unsent] += uint64(u.held.len() + u.out.backlog.len())
	u.shard.loop.Stop(&u.timer)
	u.shard.loop.Unregister(u.token)
	u.sock.Close()
}
