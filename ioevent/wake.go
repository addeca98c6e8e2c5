package ioevent

import (
	"sync"
	"sync/atomic"
)

// What the loop's goroutine is doing, and whether another has something for it.
const (
	sleeping uint32 = iota // in a blocking wait or about to be, or between two calls by another loop: a wake-up must be written
	running                // looks at the waker before it sleeps
	notified               // will look, or has been written to: nothing to do
)

// A waker brings readiness from other goroutines to the loop's.
type waker struct {
	state  atomic.Uint32
	mu     sync.Mutex // over what follows
	tokens []Token    // notified since the last take, each once
	known  map[Token]struct{}
	spare  []Token // swapped with tokens
	poller Poller  // nil after close
}

// wake is called with what it tells of already in place, so that either the loop is going to look, or it is told to.
func (w *waker) wake() {
	if w.state.Load() == notified || w.state.Swap(notified) != sleeping {
		return
	}
	w.mu.Lock() // against close: a descriptor that has been closed may by now be somebody else's
	defer w.mu.Unlock()
	if w.poller != nil {
		_ = w.poller.Wake() // nobody could do anything about an error; the loop's own wait meets it too
	}
}

func (w *waker) notify(tok Token) {
	w.mu.Lock()
	if w.known == nil {
		w.known = make(map[Token]struct{})
	}
	if _, ok := w.known[tok]; !ok {
		w.known[tok] = struct{}{}
		w.tokens = append(w.tokens, tok)
	}
	w.mu.Unlock()
	w.wake()
}

// sleep reports whether the loop may sleep: false when it has been notified since the last take.
func (w *waker) sleep() bool { return w.state.CompareAndSwap(running, sleeping) }

// take says that the loop runs. It reports whether the loop was woken since the last take, and the tokens notified, valid until the next.
func (w *waker) take() (tokens []Token, woken bool) {
	if w.state.Swap(running) != notified {
		return nil, false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tokens, w.spare = w.spare[:0], w.tokens
	clear(w.known)
	return w.spare, true
}

// leave is called when the loop's goroutine goes elsewhere, perhaps to sleep on the poller's descriptor. What came meanwhile is written.
func (w *waker) leave() {
	if w.state.CompareAndSwap(running, sleeping) {
		return
	}
	w.state.Store(sleeping)
	w.wake()
}

func (w *waker) close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.poller
	w.poller = nil
	return p.Close()
}

// Wake ends the sleep of Run, the current one or the next; a loop turned by Poll becomes readable at FD. Any goroutine may call it. It
// makes a system call only when the loop sleeps and nobody has woken it yet.
func (l *Loop) Wake() { l.waker.wake() }

// Notify says that tok has become ready by other means than a descriptor: its handler is called in the next turn, with Ready = Read|Write,
// once however often it was notified until then. Any goroutine may call it, also with a token no longer registered. It wakes the loop
// if that sleeps.
func (l *Loop) Notify(tok Token) { l.waker.notify(tok) }
