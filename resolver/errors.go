package resolver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
)

// Why a lookup failed. Test with errors.Is.
var (
	// ErrTimeout means that no usable reply came in time. It matches os.ErrDeadlineExceeded.
	ErrTimeout error = timeoutError{}
	// ErrClosed means that the Engine or Resolver was closed. It matches net.ErrClosed.
	ErrClosed = fmt.Errorf("resolver closed: %w", net.ErrClosed)
	// ErrBusy is back-pressure: as many queries are in flight as Config allows.
	ErrBusy = errors.New("too many queries in flight")
	// ErrCanceled means that the caller canceled. It matches context.Canceled.
	ErrCanceled = fmt.Errorf("lookup canceled: %w", context.Canceled)
	// ErrLoop means that the aliases in the reply lead back to themselves.
	ErrLoop = errors.New("alias loop")
	// ErrChain means that the reply holds more than 16 aliases in a row.
	ErrChain = errors.New("alias chain longer than 16 links")
	// ErrNoServers means that there is no server to ask.
	ErrNoServers = errors.New("no servers")
	// ErrHungUp means that the server closed the TCP connection that the query waited on.
	ErrHungUp = errors.New("connection closed by the server")
	// ErrMalformed means that a reply which matched the query could not be used.
	ErrMalformed = errors.New("malformed reply")
	// ErrNoData and ErrNotFound are LookupNetIP's: the name has no address, or does not exist.
	ErrNoData   = errors.New("no address of that kind")
	ErrNotFound = errors.New("no such name")
	// ErrRcode is LookupNetIP's: every server answered with a failure code.
	ErrRcode = errors.New("server failure")
)

type timeoutError struct{}

func (timeoutError) Error() string        { return "no reply in time" }
func (timeoutError) Timeout() bool        { return true }
func (timeoutError) Temporary() bool      { return true }
func (timeoutError) Is(target error) bool { return target == os.ErrDeadlineExceeded }

// Error says which lookup failed and why, and lists what was tried.
type Error struct {
	Op       string // "exchange" or "lookup"
	Name     string
	Type     uint16
	Server   string // the last one asked, "" for none
	Attempts []Attempt
	Err      error
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s %s", e.Op, printable(e.Name), typeString(e.Type))
	if e.Server != "" {
		fmt.Fprintf(&b, " @%s", e.Server)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if n := len(e.Attempts); n > 1 {
		fmt.Fprintf(&b, " (%d attempts)", n)
	}
	return b.String()
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// Timeout reports whether the reason is that time ran out.
func (e *Error) Timeout() bool { return errors.Is(e.Err, os.ErrDeadlineExceeded) }

// Temporary reports whether a later lookup may go better.
func (e *Error) Temporary() bool { return e.Timeout() || errors.Is(e.Err, ErrBusy) }

// DNSError converts to the type that package net returns.
func (e *Error) DNSError() *net.DNSError {
	return &net.DNSError{
		UnwrapErr:   e,
		Err:         e.Err.Error(),
		Name:        e.Name,
		Server:      e.Server,
		IsTimeout:   e.Timeout(),
		IsTemporary: e.Temporary(),
		IsNotFound:  errors.Is(e.Err, ErrNotFound) || errors.Is(e.Err, ErrNoData),
	}
}

// As lets errors.As find a *net.DNSError.
func (e *Error) As(target any) bool {
	d, ok := target.(**net.DNSError)
	if ok {
		*d = e.DNSError()
	}
	return ok
}
