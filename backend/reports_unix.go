//go:build unix && !linux

package backend

import "syscall"

// An errorQueue is one error number: the system tells connected sockets, once, that something sent to the peer was lost, and not what.
type errorQueue struct{ errno syscall.Errno }

// told notes what a call returned that the network said about an earlier datagram.
func (q *errorQueue) told(errno syscall.Errno) { q.errno = errno }

// own notes that it was about that call's datagram.
func (q *errorQueue) own() { q.errno = 0 }

// suspect does nothing: there is no queue to look at.
func (q *errorQueue) suspect() {}

// quiet says that there is nothing to report.
func (q *errorQueue) quiet() bool { return q.errno == 0 }

// wantReports does nothing: it cannot be asked for.
func wantReports(int, *Config) error { return nil }

// reports puts what was told into batch.
func (u *udp) reports(batch []Datagram) (n int) {
	if len(batch) == 0 || u.errno == 0 {
		return 0
	}
	errno := u.errno
	u.errno = 0
	if !u.connected() {
		return 0
	}
	d := &batch[0]
	d.Data, d.Addr, d.Err, d.Stamp, d.Truncated = d.Buf[:0], u.remote, reported(errno), 0, false
	return 1
}
