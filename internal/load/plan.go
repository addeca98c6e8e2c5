package load

import (
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/load/queries"
	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// A Server is one to send to.
type Server struct {
	Addr netip.AddrPort
	// Weight is its share of the queries, beside those of the others; 0 means 1.
	Weight int
}

// A Plan is a run to be made. The zero value of a field means what its comment says. The name in brackets is that of the flag that sets it, which
// errors use.
type Plan struct {
	// Servers share the queries by weight (--server). At least one is needed.
	Servers []Server
	// Transport is resolver.UDP or resolver.TCP; UDP (--transport).
	Transport resolver.Transport
	// Sources are the local addresses to send from, dealt to the sockets in turn; see ParseSources. None: the system chooses (--source).
	Sources []netip.Addr
	// Clients is the number of sockets, or of TCP connections, that each shard has to each server; 4 (--clients). With several Sources
	// it is rounded up to a multiple of those that the shard uses.
	Clients int
	// Threads is the number of shards; 1 (--threads).
	Threads int

	// Set is where the queries come from (--data). It is needed.
	Set queries.Set
	// Rate is the profile of an open plan; its zero value makes a closed plan, unless Arrival is Recorded (--rate).
	Rate Profile
	// Arrival is the law of an open plan's instants; Constant (--arrival).
	Arrival Arrival
	// Speed is how much faster than recorded a Recorded plan goes; 1 (--replay-speed).
	Speed float64
	// Outstanding bounds the queries sent and not ended, over all shards. A closed plan keeps so many there; 100. An open plan has no bound where
	// it is 0, but that of the message IDs its sockets have (--outstanding).
	Outstanding int
	// PerClient bounds the queries outstanding on one socket or connection, 0: the IDs there are (--per-client). Over UDP it holds for the
	// mean of the sockets from one address to one server.
	PerClient int
	// PerConnection closes a TCP connection after so many queries; 0: never (--per-connection).
	PerConnection int

	// Duration is the length of the measured part; 0: until Count are through, the profile is, or the queries are (--duration).
	Duration time.Duration
	// Count is the number of queries of the measured part; 0: no such end (--count).
	Count uint64
	// Warmup goes before the measured part, at the rate that it starts with, and counts in nothing (--warmup).
	Warmup time.Duration
	// Timeout is after which a query is lost; 5 s (--timeout).
	Timeout time.Duration
	// Seed makes names, arrivals and choices the same again (--seed).
	Seed uint64
	// Lag is how late a send may be. What is later is not sent but counted as behind; 10 ms (--lag).
	Lag time.Duration

	// Stamps has the kernel stamp what is received, so that the time in our own queue is known (--stamps).
	Stamps bool
	// RecvBuffer is the receive buffer of a socket, in octets; 4 MiB (--receive-buffer).
	RecvBuffer int
	// Backend moves the datagrams; the best that works here (--backend).
	Backend backend.Backend
	// Poller waits; the best that works here (--poller).
	Poller ioevent.Mechanism

	// OnTick, if not nil, is told of each second that is over, all shards together, in order, on one goroutine. The tick is valid until it returns.
	OnTick func(*result.Tick)
}

// Open reports whether each query has an instant of its own.
func (p *Plan) Open() bool { return !p.Rate.IsZero() || p.Arrival == Recorded }

// The defaults of a Plan.
const (
	DefaultClients     = 4
	DefaultOutstanding = 100
	DefaultTimeout     = 5 * time.Second
	DefaultLag         = 10 * time.Millisecond
	DefaultRecvBuffer  = 4 << 20
)
