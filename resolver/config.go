package resolver

import (
	"io"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// Config says how an Engine or a Resolver works. The zero value of each field means its default.
type Config struct {
	// Servers are asked in this order, those that failed lately last. None is an error unless every Query brings its own.
	Servers []Server
	// Timeout is the length of one try; 2 s.
	Timeout time.Duration
	// Tries is how often each server may be asked for one query, over all rounds; 3, at most 100.
	Tries int
	// UDPSize is the EDNS payload size offered; 1232 (RFC 9715 3.1).
	UDPSize uint16
	// NearMisses is how many forged-looking replies to a query (wrong ID or question) start a TCP attempt beside the UDP wait; 3, negative: never.
	NearMisses int

	// MaxInFlight bounds the queries accepted and not done, in each shard; beyond it Submit returns ErrBusy. 65,536.
	MaxInFlight int
	// MaxPerServer bounds those of them that one server may hold, in each shard: what is beyond it waits its turn in the engine, so that a
	// dead server cannot take every place on the wire. MaxInFlight.
	MaxPerServer int
	// Rate bounds the sends to one server, in queries a second and for each shard; 0 means no bound. What is beyond it waits its turn.
	Rate float64
	// Ports says which source ports queries leave from.
	Ports PortPolicy
	// TCP says how many connections there are to a server, and how they are used.
	TCP TCPPolicy
	// IdleTimeout is how long an unused TCP connection is kept; 10 s.
	IdleTimeout time.Duration

	// Shards is the number of engines of a Resolver; GOMAXPROCS, at most 4. At most 16. An Engine ignores it.
	Shards int
	// Backend moves the datagrams; the best that works here. See backend.Named.
	Backend backend.Backend
	// Poller waits for readiness; the best that works here and is of the Latency asked for. See ioevent.Named.
	Poller ioevent.Mechanism
	// Latency says what it may cost to notice a reply soon; ioevent.Sleep, or that of the Poller given, which must not be another. With
	// ioevent.Busy the sockets poll the network device too (SO_BUSY_POLL), where Socket.BusyPoll is zero and the system permits it; with ioevent.Spin a processor
	// is used up while queries are in flight or a TCP connection is kept.
	Latency ioevent.Latency
	// Socket sets Local, RecvBuffer (4 MiB), SendBuffer, Batch (at most 1,024 datagrams a call; how many follows the load), BusyPoll, Stamps, NoTrains and Control of the sockets opened. A socket for a single query keeps the system's buffers.
	Socket backend.Config
	// Budget is the time that one turn of the loop may spend on replies; 2 ms, negative: as long as there are some.
	Budget time.Duration
	// Spin is how long a blocking call with nobody else's queries beside it looks for its answer before it sleeps, as long as that pays; 50 µs, negative:
	// it sleeps at once. Engine.Turn stops sleeping that long before its time.
	Spin time.Duration
	// Rand gives the IDs; crypto/rand.Reader. An error from it fails the query: it is never replaced by something guessable.
	Rand io.Reader
	// Stray, if not nil, is told of every message, over UDP and TCP, that answered no outstanding query, on the engine's goroutine and under no lock; of a
	// Resolver with several shards, on that of each. It may submit, cancel and close; it must not block. The Stray is valid until it returns.
	//
	// Where it is set each socket and connection remembers what has ended on it, to tell late and doubled replies from others: 8 octets an ID, up to 512 KiB
	// (1 MiB where queries are lost), and some 20 ns a query. It remembers the last query of each ID, and apart from it the last that was lost. What comes
	// to a socket after it was closed, as those for a single query are at its end (PortPolicy.Fresh), is not seen.
	Stray func(s *Stray)
	// Panic, if not nil, is told what a panicking Done panicked with, or Stray, and then q is nil, on the engine's goroutine. The panic is recovered and
	// counted either way.
	Panic func(q *Query, value any)
}

// TCPPolicy says how TCP connections are used, for each server and shard. What does not fit waits in the engine for its turn, as with MaxPerServer: its time begins
// when it is sent.
type TCPPolicy struct {
	// Conns is the number of connections to a server; 1. They are used in turn, as far as they have room, and while there are fewer a query begins another.
	Conns int
	// Together is how many queries that leave in one turn of the engine may go over one connection, in one write, before the next connection is
	// used; 1: each query takes the next, as those of many clients do. More spare writes where many are outstanding, and cost time where few are:
	// a server that has not set TCP_NODELAY holds back all but the first of several replies on a connection until that one is acknowledged.
	Together int
	// Queries is how many a connection carries. After so many it takes no more, and it is closed when the last is answered or over, which makes
	// room for another. 0: no bound.
	Queries int
	// Outstanding is the most that wait for their answers on one connection. 0: as many as there are IDs to give, 49,152, which is also the most.
	Outstanding int
}

// PortPolicy says which source ports UDP queries to one server leave from. A fresh random port for each query is the safest against
// forged replies and the dearest; a pool is rotated. Off-path attackers cannot reach loopback servers, so these keep their sockets.
type PortPolicy struct {
	// Loopback is the number of sockets to a server on loopback; 4.
	Loopback int
	// Fresh is the number of queries in flight to a server below which each gets a socket and so a random port of its own; 16, negative: none.
	Fresh int
	// Pool is the number of random-port sockets used above that, picked at random each flush; 64.
	Pool int
	// Queries and Age retire a socket of the pool; 256 and 60 s. Loopback sockets are not retired.
	Queries int
	Age     time.Duration
}
