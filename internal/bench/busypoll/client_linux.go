package busypoll

import (
	"fmt"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/dnsq/dnsq/internal/sys"
)

// A Client asks a server over several sockets, one message at a time. One goroutine uses it; GiveUp alone may be called from another.
type Client struct {
	way   Way
	fds   []int
	next  int // of fds, to be asked by
	id    uint16
	reply []byte
	over  atomic.Bool                // GiveUp
	mu    sync.Mutex                 // Close does not come between what GiveUp does
	wait  func() (fd int, err error) // that is readable; -1: only looked, and none is

	polled []unix.PollFd
	epoll  int
	events []unix.EpollEvent
}

// Open opens so many sockets, connected to the server. The error says what this system refuses.
func Open(w Way, server netip.AddrPort, sockets int) (*Client, error) {
	c := &Client{way: w, reply: make([]byte, 4096), epoll: -1}
	if err := c.open(server, sockets); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Client) open(server netip.AddrPort, sockets int) error {
	for range sockets {
		if err := c.dial(server); err != nil {
			return err
		}
	}
	switch c.way.Call {
	case "poll":
		c.wait = c.poll
	case "select":
		c.wait = c.selectRead
	case "epoll":
		c.wait = c.epollWait
		return c.openEpoll()
	default:
		return fmt.Errorf("no way to wait %v", c.way)
	}
	return nil
}

func (c *Client) dial(server netip.AddrPort) error {
	if !server.Addr().Is4() {
		return fmt.Errorf("server %v: an IPv4 address is needed", server)
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return os.NewSyscallError("socket", err)
	}
	c.fds = append(c.fds, fd)
	c.polled = append(c.polled, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
	if c.way.Mode == Busy {
		if err := setBusy(fd); err != nil {
			return err
		}
	}
	if fd >= unix.FD_SETSIZE && c.way.Call == "select" {
		return fmt.Errorf("descriptor %d: select(2) knows them up to %d", fd, unix.FD_SETSIZE-1)
	}
	return os.NewSyscallError("connect", unix.Connect(fd, &unix.SockaddrInet4{Port: int(server.Port()), Addr: server.Addr().As4()}))
}

func setBusy(fd int) error {
	for _, o := range [...]struct {
		name          string
		option, value int
	}{
		{"SO_BUSY_POLL", unix.SO_BUSY_POLL, int(BusyTime.Microseconds())},
		{"SO_PREFER_BUSY_POLL", unix.SO_PREFER_BUSY_POLL, 1},
		{"SO_BUSY_POLL_BUDGET", unix.SO_BUSY_POLL_BUDGET, busyBudget},
	} {
		if err := unix.SetsockoptInt(fd, unix.SOL_SOCKET, o.option, o.value); err != nil {
			return os.NewSyscallError("setsockopt "+o.name, err)
		}
	}
	return nil
}

func (c *Client) openEpoll() (err error) {
	if c.epoll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return os.NewSyscallError("epoll_create1", err)
	}
	c.events = make([]unix.EpollEvent, len(c.fds))
	for _, fd := range c.fds {
		if err := unix.EpollCtl(c.epoll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}); err != nil {
			return os.NewSyscallError("epoll_ctl", err)
		}
	}
	if c.way.Mode == Busy {
		p := sys.EpollParams{Micros: uint32(BusyTime.Microseconds()), Budget: busyBudget, Prefer: 1}
		if errno := sys.SetEpollParams(c.epoll, p); errno != 0 {
			return os.NewSyscallError("ioctl EPIOCSPARAMS (Linux 6.9)", errno)
		}
	}
	return nil
}

// Ask sends the message by the next socket, with an ID of its own in the first two octets, and returns how long the reply took.
func (c *Client) Ask(message []byte) (time.Duration, error) {
	c.id++
	message[0], message[1] = byte(c.id>>8), byte(c.id)
	fd := c.fds[c.next]
	c.next = (c.next + 1) % len(c.fds)
	began := time.Now()
	if _, err := unix.Write(fd, message); err != nil {
		return 0, os.NewSyscallError("write", err)
	}
	for {
		ready, err := c.wait()
		switch {
		case c.over.Load():
			return 0, fmt.Errorf("no reply at descriptor %d by %v: %w", fd, c.way, os.ErrDeadlineExceeded)
		case err != nil && err != unix.EINTR:
			return 0, os.NewSyscallError(c.way.Call, err)
		case err != nil || ready < 0:
			continue
		}
		n, err := unix.Read(ready, c.reply)
		if err == unix.EAGAIN || err == unix.EINTR {
			continue // readable, but by a datagram with a bad checksum
		}
		if err != nil {
			return 0, os.NewSyscallError("read", err)
		}
		if ready != fd || n < 2 || c.reply[0] != message[0] || c.reply[1] != message[1] {
			return 0, fmt.Errorf("a reply of %d octets to another message", n)
		}
		return time.Since(began), nil
	}
}

// GiveUp has a wait that goes on for ever end, and every further one fail.
func (c *Client) GiveUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.over.Store(true)
	for _, fd := range c.fds {
		_ = unix.Shutdown(fd, unix.SHUT_RD)
	}
}

// timeout is that of a wait: -1 is none, and no wait has another one than to look.
func (c *Client) timeout() int {
	if c.way.Mode == Spin {
		return 0
	}
	return -1
}

func (c *Client) poll() (int, error) {
	n, err := unix.Poll(c.polled, c.timeout())
	for i := 0; i < len(c.polled) && n > 0; i++ {
		if c.polled[i].Revents != 0 {
			return int(c.polled[i].Fd), nil
		}
	}
	return -1, err
}

func (c *Client) selectRead() (int, error) {
	var set unix.FdSet
	most := 0
	for _, fd := range c.fds {
		set.Set(fd)
		most = max(most, fd)
	}
	var timeout *unix.Timeval
	if c.timeout() == 0 {
		timeout = &unix.Timeval{}
	}
	n, err := unix.Select(most+1, &set, nil, nil, timeout)
	for i := 0; i < len(c.fds) && n > 0; i++ {
		if set.IsSet(c.fds[i]) {
			return c.fds[i], nil
		}
	}
	return -1, err
}

func (c *Client) epollWait() (int, error) {
	if n, err := unix.EpollWait(c.epoll, c.events, c.timeout()); n <= 0 {
		return -1, err
	}
	return int(c.events[0].Fd), nil
}

// NAPI is the id of the device's queue that the last reply came by, 0 where it has none that could be polled: SO_INCOMING_NAPI_ID in socket(7).
func (c *Client) NAPI() (int, error) {
	last := c.fds[(c.next+len(c.fds)-1)%len(c.fds)]
	id, err := unix.GetsockoptInt(last, unix.SOL_SOCKET, unix.SO_INCOMING_NAPI_ID)
	return id, os.NewSyscallError("getsockopt SO_INCOMING_NAPI_ID", err)
}

// Close closes the sockets.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, fd := range c.fds {
		_ = unix.Close(fd)
	}
	if c.epoll >= 0 {
		_ = unix.Close(c.epoll)
	}
	c.fds, c.epoll = nil, -1
	return nil
}
