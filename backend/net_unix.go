//go:build unix

package backend

import "net"

// sized gives conn the kernel buffers of cfg; it closes conn where that fails.
func sized(conn *net.UDPConn, cfg *Config) (*net.UDPConn, error) {
	var err error
	if c, e := conn.SyscallConn(); e != nil {
		err = e
	} else if e := c.Control(func(fd uintptr) { err = setBuffers(int(fd), cfg) }); e != nil {
		err = e
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// askConn fills in what the kernel has granted and counted.
func askConn(conn *net.UDPConn, s *Stats) {
	if c, err := conn.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { askKernel(int(fd), s) })
	}
}
