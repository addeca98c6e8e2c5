package ioeventtest

import (
	"errors"

	"github.com/dnsq/dnsq/ioevent"
)

// fileTests are those of descriptors.
func fileTests(m ioevent.Mechanism) []pollerTest {
	if !m.Files {
		return []pollerTest{{"AddIsUnsupported", testAddUnsupported}}
	}
	return []pollerTest{
		{"EventWhenReady", testEvent},
		{"EventAtAddWhenAlreadyReady", testAlreadyReady},
		{"ChangeOfInterest", testInterest},
		{"ChangeOfToken", testToken},
		{"ReadyWithoutInterest", testNoInterest},
		{"Trigger", testTrigger},
		{"NothingIsLostBetweenWaits", testBetween},
		{"Remove", testRemove},
		{"RemoveThenAddAgain", testReAdd},
		{"Write", testWrite},
		{"HangUp", testHangUp},
		{"End", testEnd},
		{"Error", testError},
		{"MoreReadyThanEvents", testMany},
		{"EventAndTimerAndWake", testAllAtOnce},
		{"CloseFreesDescriptors", testClose},
	}
}

func testAddUnsupported(b *bench) {
	if err := b.poller.Add(0, 1, ioevent.Read); !errors.Is(err, errors.ErrUnsupported) {
		b.Errorf("Add = %v, want errors.ErrUnsupported", err)
	}
}

func (b *bench) add(fd int, tok ioevent.Token, in ioevent.Interest) {
	b.Helper()
	b.must("Add", b.poller.Add(fd, tok, in))
}

// want checks that evs tells of tok alone, and of nothing but ready.
func (b *bench) want(what string, evs []ioevent.Event, tok ioevent.Token, ready ioevent.Interest) {
	b.Helper()
	var got ioevent.Interest
	for _, ev := range evs {
		if ev.Token != tok {
			b.Errorf("%s: event %v of another token than %#x", what, ev, tok)
		}
		got |= ev.Ready
	}
	if got != ready {
		b.Errorf("%s: ready for %b, want %b", what, got, ready)
	}
}

// wantNone looks and checks that nothing is ready.
func (b *bench) wantNone(what string) {
	b.Helper()
	b.want(what, b.look(), 0, 0)
}

func testEvent(b *bench) {
	p := newPair(b.T)
	b.add(p.fd, 7, ioevent.Read)
	b.wantNone("nothing sent")
	p.send()
	b.want("sent", b.sleep(), 7, ioevent.Read)
	p.drain()
	b.after(10*ms, p.send)
	b.want("sent during the sleep", b.sleep(), 7, ioevent.Read)
}

func testAlreadyReady(b *bench) {
	p := newPair(b.T)
	p.send()
	b.add(p.fd, 7, ioevent.Read|ioevent.Write)
	b.want("added", b.sleep(), 7, ioevent.Read|ioevent.Write)
	b.add(p.fd, 8, ioevent.Read|ioevent.Write)
	b.want("changed", b.sleep(), 8, ioevent.Read|ioevent.Write)
}

func testInterest(b *bench) {
	p := newPair(b.T)
	p.send()
	for range 2 {
		b.add(p.fd, 7, ioevent.Write)
		b.want("Write", b.look(), 7, ioevent.Write)
		b.add(p.fd, 7, ioevent.Read)
		b.want("Read", b.look(), 7, ioevent.Read)
	}
}

func testToken(b *bench) {
	p := newPair(b.T)
	p.send()
	for _, tok := range []ioevent.Token{1, 1 << 31, 1<<32 + 5, 1 << 63, 1<<64 - 1} {
		b.add(p.fd, tok, ioevent.Read)
		b.want("changed", b.look(), tok, ioevent.Read)
	}
}

func testNoInterest(b *bench) {
	p := newPair(b.T)
	b.add(p.fd, 7, 0)
	p.send()
	b.wantNone("without interest")
	b.add(p.fd, 7, ioevent.Read)
	b.want("with interest", b.look(), 7, ioevent.Read)
}

func testTrigger(b *bench) {
	p := newPair(b.T)
	b.add(p.fd, 7, ioevent.Read)
	p.send()
	b.want("sent", b.look(), 7, ioevent.Read)
	for range 3 {
		if b.mechanism.Edge {
			b.wantNone("not drained, edge")
		} else {
			b.want("not drained, level", b.look(), 7, ioevent.Read)
		}
	}
	p.send()
	b.want("sent again", b.look(), 7, ioevent.Read)
	p.drain()
	b.wantNone("drained")
}

func testBetween(b *bench) {
	p := newPair(b.T)
	b.add(p.fd, 7, ioevent.Read)
	for range 100 {
		b.wantNone("drained")
		p.send()
		b.want("sent", b.sleep(), 7, ioevent.Read)
		p.drain()
	}
}

func testRemove(b *bench) {
	p, other := newPair(b.T), newPair(b.T)
	b.add(p.fd, 7, ioevent.Read|ioevent.Write)
	b.add(other.fd, 8, ioevent.Read)
	p.send()
	other.send()
	b.must("Remove", b.poller.Remove(p.fd))
	b.want("removed", b.look(), 8, ioevent.Read)
	b.must("Remove", b.poller.Remove(other.fd))
	b.wantNone("both removed")
}

func testReAdd(b *bench) {
	p := newPair(b.T)
	for tok := range ioevent.Token(3) {
		b.add(p.fd, tok+1, ioevent.Read)
		p.send()
		b.want("added", b.look(), tok+1, ioevent.Read)
		b.must("Remove", b.poller.Remove(p.fd))
	}
}

func testWrite(b *bench) {
	p := newPair(b.T)
	p.fill()
	b.add(p.fd, 7, ioevent.Read|ioevent.Write)
	b.wantNone("full")
	p.makeRoom()
	b.want("room", b.sleep(), 7, ioevent.Write)
}

func testHangUp(b *bench) {
	p := newPair(b.T)
	b.add(p.fd, 7, ioevent.Read)
	p.hangUp()
	evs := b.sleep()
	if len(evs) == 0 || evs[0].Token != 7 || evs[0].Ready&ioevent.Read == 0 {
		b.Errorf("peer gone: %v, want Read of 7", evs)
	}
}

// testEnd: who reads from an edge-triggered loop what a peer sent before it closed does not have to read once more to learn that it did.
func testEnd(b *bench) {
	for _, sent := range []bool{true, false} {
		p := newPair(b.T)
		b.add(p.fd, 7, ioevent.Read)
		if sent {
			p.send()
			b.want("open", b.look(), 7, ioevent.Read)
			p.send()
		}
		p.hangUp()
		evs := b.sleep()
		if len(evs) == 0 || evs[0].Ready&ioevent.Read == 0 || b.mechanism.Edge && evs[0].Ready&ioevent.End == 0 {
			b.Errorf("peer gone, octets unread: %t: %v, want Read and End", sent, evs)
		}
		b.must("Remove", b.poller.Remove(p.fd))
	}
}

func testError(b *bench) {
	for _, in := range []ioevent.Interest{ioevent.Read, ioevent.Read | ioevent.Write} {
		fd := refusedSocket(b.T)
		b.add(fd, 7, in)
		evs := b.sleep()
		for i := range evs {
			evs[i].Ready &^= ioevent.End // which it may or may not have
		}
		b.want("refused", evs, 7, in|ioevent.Error)
		b.must("Remove", b.poller.Remove(fd))
	}
}

func testMany(b *bench) {
	const files, room = 50, 4
	for tok := range ioevent.Token(files) {
		p := newPair(b.T)
		p.send()
		b.add(p.fd, tok+1, ioevent.Read)
	}
	seen := make(map[ioevent.Token]int)
	b.evs = b.evs[:room]
	for range 2 * files / room {
		for _, ev := range b.look() {
			seen[ev.Token]++
		}
	}
	for tok := range ioevent.Token(files) {
		if n := seen[tok+1]; n == 0 || b.mechanism.Edge && n != 1 {
			b.Errorf("token %d: %d events", tok+1, n)
		}
	}
}

func testAllAtOnce(b *bench) {
	p := newPair(b.T)
	b.evs = b.evs[:1]
	b.add(p.fd, 7, ioevent.Read)
	for range 10 {
		p.send()
		b.wake()
		b.arm(1)
		var evs []ioevent.Event
		for range 3 { // the poller's own may have taken the place
			if evs = b.sleep(); len(evs) > 0 {
				break
			}
		}
		b.want("sent, woken and due", evs, 7, ioevent.Read)
		p.drain()
		b.look()
		b.look()
	}
}

func testClose(b *bench) {
	lowest := newPair(b.T).fd
	for range 20 {
		p, err := b.mechanism.Open(new(ioevent.Counters))
		b.must("Open", err)
		b.must("Close", p.Close())
	}
	if fd := newPair(b.T).fd; fd > lowest+10 { // there may have been gaps
		b.Errorf("next descriptor is %d, was %d before 20 pollers were opened and closed", fd, lowest)
	}
}
