package ioevent

import (
	"os"

	"github.com/dnsq/dnsq/internal/sys"
)

// What a wait of the poller busy does before it sleeps: Documentation/networking/napi.rst, "epoll-based busy polling".
const (
	busyMicros = 50 // Documentation/admin-guide/sysctl/net.rst recommends it for busy_poll with several sockets
	busyBudget = 64 // packets a look; the most without CAP_NET_ADMIN
)

// openBusy opens an edge-triggered epoll whose waits poll the device that its sockets received from (Linux 6.9, commit 18e2bf0edf4d). Where these have
// several NAPI ids, the kernel polls the one seen last.
func openBusy(c *Counters) (Poller, error) {
	p, err := openEdge(c)
	if err != nil {
		return nil, err
	}
	errno := sys.SetEpollParams(p.(*epoll).fd, sys.EpollParams{Micros: busyMicros, Budget: busyBudget, Prefer: 1})
	if errno != 0 {
		_ = p.Close()
		return nil, os.NewSyscallError("ioctl EPIOCSPARAMS (Linux 6.9)", errno)
	}
	return p, nil
}
