package machine

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"
)

// Path is what a reply told about the way it came.
type Path struct {
	Interface string // that it came in by
	Loopback  bool
	NAPI      int // the id of the device's queue (SO_INCOMING_NAPI_ID in socket(7)); 0: it has none that could be polled
}

// PathTo sends query to a server, once and from one socket, and waits for a reply. Whether that answers the query is nobody's concern. The error
// says what failed; it matches os.ErrDeadlineExceeded where no reply came, and errors.ErrUnsupported where the system does not tell.
func PathTo(server netip.AddrPort, query []byte, wait time.Duration) (Path, error) {
	conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(server))
	if err != nil {
		return Path{}, err
	}
	defer conn.Close()
	raw, err := conn.SyscallConn()
	if err != nil {
		return Path{}, err
	}
	if err := wantInterface(raw, server.Addr().Unmap().Is4()); err != nil {
		return Path{}, err
	}
	if err := conn.SetDeadline(time.Now().Add(wait)); err != nil {
		return Path{}, err
	}
	if _, err := conn.Write(query); err != nil {
		return Path{}, err
	}
	control := make([]byte, 256)
	_, n, _, _, err := conn.ReadMsgUDP(make([]byte, 4096), control)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return Path{}, fmt.Errorf("no reply from %v in %v: %w", server, wait, os.ErrDeadlineExceeded)
	case err != nil:
		return Path{}, err
	}
	return pathOf(raw, control[:n])
}
