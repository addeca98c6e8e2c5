//go:build unix && !linux

package backend

import (
	"syscall"

	"github.com/dnsq/dnsq/internal/sys"
)

// wantStamps reports that this system gives none that is known here.
func wantStamps(int) bool { return false }

// stampedReceive is not used: there are no stamps.
func (s *plainSocket) stampedReceive() func(fd int, p []byte, from *sys.Sockaddr) (int, syscall.Errno) {
	return s.recvfrom
}
