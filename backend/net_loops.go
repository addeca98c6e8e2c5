package backend

import "errors"

// A packetReader receives from a connection, blocking.
type packetReader interface {
	// read returns at least one datagram, or an error. They are valid until the next read.
	read() ([]Datagram, error)
	// done gives memory back.
	done()
}

// A packetWriter sends on a connection, blocking.
type packetWriter interface {
	// room is the most datagrams that one write looks at.
	room() int
	// write sends from batch, in order. An error belongs to batch[n].
	write(batch []Datagram) (n int, err error)
}

// readAll is the goroutine that receives.
func (s *netSocket) readAll(r packetReader) {
	defer r.done()
	for {
		got, err := r.read()
		s.syscalls.Add(1)
		if err != nil {
			if err = explainUDP(err); !transient(err) {
				s.fail(err)
				return
			}
			got = nil // without a peer nobody knows whom the error is about
			if s.remote.IsValid() {
				got = []Datagram{{Addr: s.remote, Err: err}}
			}
		}
		if !s.deliver(got) {
			return
		}
	}
}

// explainUDP is explain where there is no connection to be reset: that is how Windows, and js, tell that nobody listens.
func explainUDP(err error) error {
	if sentinel(err) == ErrReset {
		return &reason{ErrRefused, err}
	}
	return explain(err)
}

// transient says that an error of a read or write is the network's: the next one may go well.
func transient(err error) bool {
	for _, e := range []error{ErrRefused, ErrUnreachable, ErrReset, ErrTooBig, ErrNoBuffers, ErrDenied} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// deliver queues what was received, waiting for room, and notifies where there was nothing before. It returns false after Close.
func (s *netSocket) deliver(got []Datagram) bool {
	for i := range got {
		s.mu.Lock()
		for s.in.len() >= netQueue && !s.closed {
			s.change.Wait()
		}
		closed, first := s.closed, s.in.len() == 0
		if !closed {
			s.in.push(got[i])
		}
		s.mu.Unlock()
		if closed {
			return false
		}
		if first {
			s.notify()
		}
	}
	return true
}

// fail ends the socket's life with err, unless it was closed.
func (s *netSocket) fail(err error) {
	s.mu.Lock()
	s.err = err
	closed := s.closed
	s.mu.Unlock()
	if !closed {
		s.notify()
	}
}

// writeAll is the goroutine that sends.
func (s *netSocket) writeAll(w packetWriter) {
	batch := make([]Datagram, 0, w.room())
	again := false // batch[0] is being tried once more
	for {
		batch = s.waiting(batch[:0], w.room())
		if len(batch) == 0 {
			return
		}
		n, err := w.write(batch)
		s.syscalls.Add(1)
		retry := err != nil && !(again && n == 0) && s.remote.IsValid()
		if !s.sent(batch, n, err, retry) {
			return
		}
		again = retry
	}
}

// waiting waits for datagrams to send and appends them to batch, at most limit. They stay in the queue. None: closed.
func (s *netSocket) waiting(batch []Datagram, limit int) []Datagram {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.out.len() == 0 && !s.closed {
		s.change.Wait()
	}
	if s.closed {
		return nil
	}
	for i := range min(limit, s.out.len()) {
		batch = append(batch, s.out.at(i))
	}
	return batch
}

// sent takes n datagrams out of the queue. The one behind them failed with err, if that is not nil: an error that may be about an
// earlier one is reported without octets and the datagram is kept to be tried once more, else it is reported with them. It returns false
// after Close.
func (s *netSocket) sent(batch []Datagram, n int, err error, retry bool) bool {
	var report []Datagram
	drop := n
	switch {
	case err != nil && retry:
		report = []Datagram{{Addr: s.remote, Err: explainUDP(err)}}
	case err != nil:
		report = []Datagram{{Addr: batch[n].Addr, Data: batch[n].Data, Err: explainUDP(err)}}
		if s.remote.IsValid() {
			report[0].Addr = s.remote
		}
		drop++
	}
	if len(report) > 0 && !s.deliver(report) {
		return false
	}
	s.mu.Lock()
	s.out.drop(drop)
	writable := s.full && s.out.len() < netQueue/2 && !s.closed
	s.full = s.full && !writable
	s.mu.Unlock()
	if writable {
		s.notify()
	}
	return true
}
