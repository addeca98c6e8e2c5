//go:build !linux

package busypoll

import (
	"errors"
	"fmt"
	"net/netip"
	"time"
)

// A Client asks a server over several sockets: not here.
type Client struct{}

// Open refuses.
func Open(Way, netip.AddrPort, int) (*Client, error) {
	return nil, fmt.Errorf("only Linux has busy polling: %w", errors.ErrUnsupported)
}

// Ask fails.
func (c *Client) Ask([]byte) (time.Duration, error) { return 0, errors.ErrUnsupported }

// GiveUp does nothing.
func (c *Client) GiveUp() {}

// NAPI fails.
func (c *Client) NAPI() (int, error) { return 0, errors.ErrUnsupported }

// Close does nothing.
func (c *Client) Close() error { return nil }

// Polled is 0.
func Polled() uint64 { return 0 }
