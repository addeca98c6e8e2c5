package responder

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// Config says what a Server answers, where, and what goes wrong on purpose.
type Config struct {
	// Listen are the addresses to answer on, each over UDP and TCP. With port 0 the system picks one that is free for both. None means
	// 127.0.0.1 and port 0. A reply from 0.0.0.0 or :: leaves from the address that the system prefers, not the one that was asked.
	Listen []netip.AddrPort
	// NoUDP and NoTCP leave one of the transports out.
	NoUDP, NoTCP bool
	// Zones are files in the form of RFC 1035. Without any, and without Pattern, the built-in zones are served.
	Zones []ZoneFile
	// Pattern are records without owner, such as DefaultPattern, that every name has which is in none of the zones.
	Pattern []string
	// Threads is how many threads answer over UDP, each on sockets of its own between which the system spreads the clients' ports
	// (SO_REUSEPORT); 0 means 1.
	Threads int
	// Backend moves the datagrams and Poller waits; the best that work here.
	Backend backend.Backend
	Poller  ioevent.Mechanism // Spin keeps delays to a few µs
	// Faults are what goes wrong on purpose.
	Faults
}

// A ZoneFile is a master file and the origin of its names, "" for the root: many files say so themselves by $ORIGIN.
type ZoneFile struct{ Name, Origin string }

// MaxThreads is the most of Config.Threads.
const MaxThreads = 256

func (c *Config) check() (err error) {
	if len(c.Listen) == 0 {
		c.Listen = []netip.AddrPort{netip.MustParseAddrPort("127.0.0.1:0")}
	}
	c.Threads = max(c.Threads, 1)
	switch {
	case c.NoUDP && c.NoTCP:
		return errors.New("neither UDP nor TCP: leave one of them")
	case c.Threads > MaxThreads:
		return fmt.Errorf("%d threads: 1 to %d are possible", c.Threads, MaxThreads)
	}
	if err := c.mechanisms(); err != nil {
		return err
	}
	return c.Faults.check()
}

// mechanisms picks a backend and a poller that go together.
func (c *Config) mechanisms() (err error) {
	if c.Poller.Open == nil {
		if c.Poller, err = ioevent.Named(""); err != nil {
			return err
		}
	}
	if c.Backend.Open == nil {
		if c.Backend, err = backendFor(c.Poller); err != nil {
			return err
		}
	}
	if c.Backend.Descriptors && !c.Poller.Files {
		return fmt.Errorf("backend %s needs a poller that watches descriptors, and %s does not: take backend net with it", c.Backend.Name, c.Poller.Name)
	}
	return nil
}

// backendFor returns the best backend that works here and with p.
func backendFor(p ioevent.Mechanism) (backend.Backend, error) {
	if p.Files {
		return backend.Named("")
	}
	for _, b := range backend.List() {
		if !b.Descriptors && b.Probe() == nil {
			return b, nil
		}
	}
	return backend.Backend{}, fmt.Errorf("no backend works here with poller %s, which watches no descriptors", p.Name)
}

// load reads and packs what is served.
func (c *Config) load() (z *zone, err error) {
	if len(c.Zones) == 0 && len(c.Pattern) == 0 {
		if z, err = loadZone(); err != nil {
			return nil, fmt.Errorf("built-in zone: %w", err)
		}
		return z, nil
	}
	var lines []line
	for _, f := range c.Zones {
		more, err := readFile(f.Name, f.Origin)
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	if z, err = compile(lines); err == nil && len(c.Pattern) > 0 {
		z.pattern, err = parsePattern(c.Pattern)
	}
	return z, err
}
