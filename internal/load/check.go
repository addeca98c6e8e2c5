package load

import (
	"errors"
	"fmt"
	"time"

	"github.com/dnsq/dnsq/resolver"
)

// The most of what a plan may ask for.
const (
	maxThreads     = 64
	maxClients     = 16384
	maxOutstanding = 1 << 24
	maxTimeout     = 100 * time.Second // so that a histogram holds it
	maxWeight      = 1000
)

// Check returns an error that names the flag of what makes no sense and says what would be right.
func (p *Plan) Check() error {
	d := p.withDefaults()
	return errors.Join(d.checkServers(), d.checkNumbers(), d.checkLengths(), d.checkEnd(), d.checkMode())
}

func (p *Plan) checkServers() error {
	if len(p.Servers) == 0 {
		return errors.New("--server: there is no server to send to")
	}
	for _, s := range p.Servers {
		switch {
		case !s.Addr.IsValid() || s.Addr.Port() == 0:
			return fmt.Errorf("--server %v is not an address and a port", s.Addr)
		case s.Weight < 0 || s.Weight > maxWeight:
			return fmt.Errorf("--server %v has the weight %d; it may be 1 to %d", s.Addr, s.Weight, maxWeight)
		}
		for _, from := range p.Sources {
			if from.Is4() != s.Addr.Addr().Unmap().Is4() {
				return fmt.Errorf("--source %v cannot send to --server %v: they are of different families", from, s.Addr)
			}
		}
	}
	if p.Transport != resolver.UDP && p.Transport != resolver.TCP {
		return fmt.Errorf("--transport %v: there is udp and tcp", p.Transport)
	}
	return nil
}

func (p *Plan) checkNumbers() error {
	for _, f := range []struct {
		flag         string
		n, low, high int
	}{
		{"--threads", p.Threads, 1, maxThreads}, {"--clients", p.Clients, 1, maxClients},
		{"--outstanding", p.Outstanding, 0, maxOutstanding}, {"--per-client", p.PerClient, 0, maxPerClient},
		{"--per-connection", p.PerConnection, 0, maxOutstanding}, {"--receive-buffer", p.RecvBuffer, 2048, 1 << 30},
	} {
		if f.n < f.low || f.n > f.high {
			return fmt.Errorf("%s %d: it may be %d to %d", f.flag, f.n, f.low, f.high)
		}
	}
	if p.Outstanding > 0 && p.Outstanding < p.Threads {
		return fmt.Errorf("--outstanding %d is less than one for each of --threads %d", p.Outstanding, p.Threads)
	}
	if p.PerConnection > 0 && p.Transport != resolver.TCP {
		return errors.New("--per-connection is for --transport tcp")
	}
	return nil
}

func (p *Plan) checkLengths() error {
	for _, f := range []struct {
		flag      string
		d         time.Duration
		low, high time.Duration
	}{
		{"--duration", p.Duration, 0, 1 << 62}, {"--warmup", p.Warmup, 0, 1 << 62}, {"--timeout", p.Timeout, time.Millisecond, maxTimeout},
		{"--lag", p.Lag, time.Microsecond, time.Minute},
	} {
		if f.d < f.low {
			return fmt.Errorf("%s %v: it must be at least %v", f.flag, f.d, f.low)
		}
		if f.d > f.high {
			return fmt.Errorf("%s %v: it may be %v at most", f.flag, f.d, f.high)
		}
	}
	return nil
}

func (p *Plan) checkEnd() error {
	if p.Set == nil {
		return errors.New("--data: there are no queries to send")
	}
	return nil
}

func (p *Plan) checkMode() error {
	switch {
	case p.Arrival > Recorded:
		return fmt.Errorf("--arrival: %v is none", p.Arrival)
	case p.Arrival == Recorded && !p.Rate.IsZero():
		return errors.New("--rate and --arrival recorded exclude each other: the recording has its own rate; --replay-speed changes it")
	case p.Arrival == Recorded && p.Set != nil && !p.Set.Timed():
		return fmt.Errorf("--arrival recorded: %v has no times", p.Set)
	case p.Arrival == Poisson && p.Rate.IsZero():
		return errors.New("--arrival poisson needs a --rate")
	case p.Speed != 1 && p.Arrival != Recorded:
		return errors.New("--replay-speed is for --arrival recorded")
	case !(p.Speed > 0 && p.Speed <= 1e6):
		return fmt.Errorf("--replay-speed %v: it must be above 0 and at most a million", p.Speed)
	}
	return nil
}

// maxPerClient is the number of message IDs.
const maxPerClient = 65536
