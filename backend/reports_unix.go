//go:build unix && !linux

package backend

import "syscall"

// wantReports does nothing: this system has no queue of errors, and tells them to connected sockets alone.
func wantReports(int, *Config) error { return nil }

// told makes the error that a receive call returned a report about the peer; it does not say about which datagram.
func (u *udp) told(errno syscall.Errno, batch []Datagram) (n int) {
	if !u.connected() || len(batch) == 0 {
		return 0
	}
	batch[0].Data, batch[0].Addr, batch[0].Err, batch[0].Truncated = batch[0].Buf[:0], u.remote, reported(errno), false
	return 1
}

// reports finds nothing.
func (u *udp) reports([]Datagram) (n int) {
	u.pending = false
	return 0
}
