//go:build !unix

package backend

import (
	"errors"
	"net"
)

// sized gives conn the kernel buffers of cfg; it closes conn where that fails.
func sized(conn *net.UDPConn, cfg *Config) (*net.UDPConn, error) {
	var err error
	if cfg.RecvBuffer > 0 {
		err = conn.SetReadBuffer(cfg.RecvBuffer)
	}
	if cfg.SendBuffer > 0 && err == nil {
		err = conn.SetWriteBuffer(cfg.SendBuffer)
	}
	if err != nil && !errors.Is(err, errors.ErrUnsupported) { // js: Stats says that nothing was granted
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// askConn leaves the figures 0: package net has no way to ask.
func askConn(*net.UDPConn, *Stats) {}
