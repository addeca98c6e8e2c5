package resolver

import (
	"crypto/rand"
	"fmt"
	"runtime"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// withDefaults returns c with every default filled in, or an error that names the field that makes no sense.
func (c Config) withDefaults() (Config, error) {
	if err := c.check(); err != nil {
		return c, err
	}
	def(&c.Timeout, 2*time.Second)
	def(&c.Tries, 3)
	def(&c.UDPSize, 1232)
	def(&c.NearMisses, 3)
	def(&c.MaxInFlight, 65536)
	def(&c.MaxPerServer, c.MaxInFlight)
	def(&c.TCP.Conns, 1)
	def(&c.TCP.Together, 1)
	def(&c.TCP.Outstanding, maxIDs)
	def(&c.IdleTimeout, 10*time.Second)
	def(&c.Spin, 50*time.Microsecond)
	def(&c.Shards, min(runtime.GOMAXPROCS(0), 4))
	def(&c.Ports.Loopback, 4)
	def(&c.Ports.Fresh, 16)
	def(&c.Ports.Pool, 64)
	def(&c.Ports.Queries, 256)
	def(&c.Ports.Age, time.Minute)
	def(&c.Socket.Batch, backend.MaxBatch)
	def(&c.Socket.RecvBuffer, 4<<20) // the system's default holds some 250 replies
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	return c, c.choose()
}

// choose fills in the backend and the poller, so that they fit.
func (c *Config) choose() (err error) {
	if c.Poller.Open == nil {
		if c.Poller, err = ioevent.ForLatency(c.Latency); err != nil {
			return fmt.Errorf("resolver: Config.Latency: %w", err)
		}
	}
	if c.Latency != ioevent.Sleep && c.Latency != c.Poller.Latency {
		return fmt.Errorf("resolver: Config.Latency is %v, and that of poller %s is %v: leave one of the two out", c.Latency, c.Poller.Name, c.Poller.Latency)
	}
	c.Latency = c.Poller.Latency
	if c.Backend.Open == nil {
		if c.Backend, err = backendFor(c.Poller); err != nil {
			return err
		}
	}
	if c.Backend.Descriptors && !c.Poller.Files {
		return fmt.Errorf("resolver: backend %s needs a poller that watches descriptors, and %s does not: take backend net with it", c.Backend.Name, c.Poller.Name)
	}
	c.pollDevice()
	return nil
}

// busyTime is SO_BUSY_POLL for a loop of ioevent.Busy, whose waits poll the device as long.
const busyTime = 50 * time.Microsecond

// pollDevice has the sockets poll it too where the loop does, unless the system refuses: the loop's own polling is what counts.
func (c *Config) pollDevice() {
	if c.Latency != ioevent.Busy || c.Socket.BusyPoll != (backend.BusyPoll{}) {
		return
	}
	want := backend.BusyPoll{Time: busyTime}
	if s, err := c.Backend.Open(backend.Config{BusyPoll: want}); err == nil {
		s.Close()
		c.Socket.BusyPoll = want
	}
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
	return backend.Backend{}, fmt.Errorf("resolver: no backend works here with poller %s, which watches no descriptors", p.Name)
}

// maxTries is the most of Config.Tries.
const maxTries = 100

func (c *Config) check() error {
	for _, f := range []struct {
		name  string
		value float64
	}{
		{"Timeout", float64(c.Timeout)}, {"Tries", float64(c.Tries)}, {"MaxInFlight", float64(c.MaxInFlight)},
		{"MaxPerServer", float64(c.MaxPerServer)}, {"Rate", c.Rate}, {"IdleTimeout", float64(c.IdleTimeout)},
		{"Shards", float64(c.Shards)}, {"Ports.Loopback", float64(c.Ports.Loopback)}, {"Ports.Pool", float64(c.Ports.Pool)},
		{"Ports.Queries", float64(c.Ports.Queries)}, {"Ports.Age", float64(c.Ports.Age)},
		{"TCP.Conns", float64(c.TCP.Conns)}, {"TCP.Together", float64(c.TCP.Together)},
		{"TCP.Queries", float64(c.TCP.Queries)}, {"TCP.Outstanding", float64(c.TCP.Outstanding)},
	} {
		if f.value < 0 {
			return fmt.Errorf("resolver: Config.%s is %v; it must not be negative", f.name, f.value)
		}
	}
	if c.Tries > maxTries {
		return fmt.Errorf("resolver: Config.Tries is %d; it may be %d at most", c.Tries, maxTries)
	}
	if c.Shards > 16 {
		return fmt.Errorf("resolver: Config.Shards is %d; it may be 16 at most", c.Shards)
	}
	if c.TCP.Outstanding > maxIDs {
		return fmt.Errorf("resolver: Config.TCP.Outstanding is %d; it may be %d at most, for want of IDs", c.TCP.Outstanding, maxIDs)
	}
	if c.Socket.Batch < 0 || c.Socket.Batch > backend.MaxBatch {
		return fmt.Errorf("resolver: Config.Socket.Batch is %d; it may be 1 to %d", c.Socket.Batch, backend.MaxBatch)
	}
	if len(c.Servers) > maxQueryServers {
		return fmt.Errorf("resolver: Config.Servers has %d servers; at most %d can be asked", len(c.Servers), maxQueryServers)
	}
	for i, s := range c.Servers {
		if err := s.valid(); err != nil {
			return fmt.Errorf("resolver: Config.Servers[%d]: %w", i, err)
		}
	}
	return nil
}

// def sets *p where it is zero.
func def[T comparable](p *T, value T) {
	var zero T
	if *p == zero {
		*p = value
	}
}
