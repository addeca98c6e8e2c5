package realtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/require"
)

const (
	startTries = 3                // another process may take the port that was free
	startWait  = 10 * time.Second // until the server answers for its zones
	stopGrace  = 5 * time.Second  // from the interrupt to the kill
)

// errEnded means that the process ended by itself: it is worth another port.
var errEnded = errors.New("it ended")

// Server is a running name server.
type Server struct {
	Software
	Addr netip.AddrPort // over UDP and TCP

	dir     string
	process *os.Process
	cancel  context.CancelFunc
	exited  chan struct{} // closed when the process has ended
	status  error         // how it ended
}

// Start runs the software as an authority for the zones, or as a cache in front
// of them, on a loopback port of its own until the test ends. It skips the test
// where the software is not installed. anchor is what a validating server trusts.
func Start(tb testing.TB, s Software, zones []Zone, anchor *dns.DS) *Server {
	tb.Helper()
	server, err := Run(s, Find(tb, s.Binary, s.Package), zones, anchor)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(server.Stop)
	return server
}

// Run is Start for a program that is no test: it runs a binary, with the
// software's arguments, until Stop. Without an anchor nothing is validated.
func Run(s Software, binary string, zones []Zone, anchor *dns.DS) (*Server, error) {
	var errs error
	for range startTries {
		server, err := start(s, binary, zones, anchor)
		if err == nil {
			return server, nil
		}
		errs = errors.Join(errs, err)
		if !errors.Is(err, errEnded) {
			break
		}
	}
	return nil, errs
}

// Find returns the path of a binary of a Debian package, and skips the test
// where it is not installed.
func Find(tb testing.TB, binary, pkg string) string {
	tb.Helper()
	path, err := Look(binary, pkg)
	if err != nil {
		require.Skip(tb, "%v", err)
	}
	return path
}

// Look returns the path of a binary of a Debian package.
func Look(binary, pkg string) (path string, err error) {
	for _, file := range []string{binary, "/usr/sbin/" + binary} { // sbin is often not in a user's PATH
		if path, err = exec.LookPath(file); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed (Debian package %s)", binary, pkg)
}

// start runs the binary and waits until it answers.
func start(s Software, binary string, zones []Zone, anchor *dns.DS) (*Server, error) {
	dir, err := os.MkdirTemp("", "dnsq-"+s.Name+"-") // short: a control socket's path goes in
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	server := &Server{Software: s, dir: dir, cancel: cancel, exited: make(chan struct{})}
	if err := server.run(ctx, binary, zones, anchor); err != nil {
		close(server.exited)
		server.Stop()
		return nil, fmt.Errorf("start %s: %w", s.Name, err)
	}
	if err := server.await(zones); err != nil {
		err = fmt.Errorf("start %s: %w; its log: %s", s.Name, err, server.Log())
		server.Stop()
		return nil, err
	}
	return server, nil
}

// run configures and starts the process.
func (s *Server) run(ctx context.Context, binary string, zones []Zone, anchor *dns.DS) (err error) {
	if s.Addr, err = freePort(); err != nil {
		return err
	}
	files, err := writeZones(s.dir, zones)
	if err != nil {
		return err
	}
	set := settings{Dir: s.dir, Addr: s.Addr, Zones: files}
	if anchor != nil {
		set.Anchor = anchor.String()
	}
	path, err := s.configure(set)
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close() // the child has its own
	cmd := exec.CommandContext(ctx, binary, append(s.Args, path)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, log, log
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopGrace
	dieWithParent(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process = cmd.Process
	go func() {
		defer close(s.exited)
		s.status = cmd.Wait()
	}()
	return nil
}

// await asks for each zone's SOA, over UDP and TCP, until all are there.
func (s *Server) await(zones []Zone) error {
	deadline := time.After(startWait)
	for {
		err := s.ask(zones)
		if err == nil {
			return nil
		}
		select {
		case <-s.exited:
			return fmt.Errorf("%w: %v: %w", errEnded, s.status, err)
		case <-deadline:
			return fmt.Errorf("no answer in %v: %w", startWait, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (s *Server) ask(zones []Zone) error {
	for _, network := range []string{"udp", "tcp"} {
		for _, z := range zones {
			c := dns.Client{Net: network, Timeout: time.Second}
			r, _, err := c.Exchange(new(dns.Msg).SetQuestion(z.Origin, dns.TypeSOA), s.Addr.String())
			if err != nil {
				return err
			}
			if len(r.Answer) == 0 {
				return fmt.Errorf("no SOA of %s: %s", z.Origin, dns.RcodeToString[r.Rcode])
			}
		}
	}
	return nil
}

// Log returns the end of what the server had to say.
func (s *Server) Log() string {
	text, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(tail(text))
}

// Stop ends the process, by force after a grace, and removes its files.
func (s *Server) Stop() {
	s.cancel()
	<-s.exited
	os.RemoveAll(s.dir)
}

// freePort returns a loopback address whose port is free over UDP and TCP. It
// is below those that Linux gives to clients: Knot, Unbound and dig share ports
// (SO_REUSEPORT), and a dig that was given the server's own would hear itself.
func freePort() (netip.AddrPort, error) {
	const first, limit = 10000, 32768
	var err error
	for range 100 {
		port := first + rand.IntN(limit-first)
		addr := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port))
		if err = tryPort(addr.String()); err == nil {
			return addr, nil
		}
	}
	return netip.AddrPort{}, err
}

func tryPort(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	defer l.Close()
	p, err := net.ListenPacket("udp", addr)
	if err != nil {
		return err
	}
	return p.Close()
}
