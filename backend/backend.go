package backend

import (
	"net/netip"
)

// Limits of Config.Batch, in datagrams a receive call.
const (
	DefaultBatch = 64
	MaxBatch     = 1024
)

// A Datagram is one UDP packet on its way in or out. The caller owns it and the memory behind Buf.
type Datagram struct {
	// Buf is where Recv puts the octets. Send does not look at it.
	Buf []byte
	// Data is what Send sends and what Recv received. After Recv it is Buf[:n] or, for a datagram that is longer or came
	// in a train, a view of other memory: of the Arena's, of the Buf of an earlier entry, or of the socket's. It is valid until the
	// next Recv on a socket that shares Buf or the Arena.
	Data []byte
	// Addr is the source after Recv, with the scope id as zone where there is one, and the destination for Send. A
	// connected socket ignores it in Send and sets it to Config.Remote in Recv.
	Addr netip.AddrPort
	// Err, set by Recv only, makes the entry a report from the network (an ICMP error) instead of a datagram: a datagram
	// sent to Addr was not delivered. Data starts with the octets of that datagram, as many as the system kept, and is
	// empty where it kept none: then any datagram sent from this socket to Addr may be meant. If it goes on behind that datagram, those
	// that were sent with it as a train are meant, too. It matches one of the package's sentinel errors under errors.Is.
	Err error
	// Stamp, set by Recv only, is when the kernel had the datagram, on its way to the socket's queue: nanoseconds of CLOCK_REALTIME, as
	// time.Time.UnixNano has it. It is 0 where there is none: without Config.Stamps, in a report, on systems other than Linux and before 5.1, and
	// in the net backend. The datagrams of a train have one.
	Stamp int64
	// Truncated, set by Recv only, says that Data is shorter than what arrived.
	Truncated bool
}

// Config says how a Socket or a Stream is opened. The zero value opens an unconnected socket on a port of the system's choice.
type Config struct {
	// Local is the address to bind. Invalid: any address and port; a zero port: any port.
	Local netip.AddrPort
	// Remote, where valid, is the one peer: the socket is connected, so the kernel drops what others send. A Stream needs it.
	// Its family decides the socket's, else Local's does; with neither it is IPv4.
	Remote netip.AddrPort
	// RecvBuffer and SendBuffer are the kernel buffers asked for, in octets; 0 leaves the system's default. Stats tells
	// what was granted.
	RecvBuffer, SendBuffer int
	// NoTrains has datagrams that travel as a train (UDP_GRO) received one by one all the same: dearer, but Stats.Dropped then counts each.
	NoTrains bool
	// Stamps has the kernel say when each datagram came (Datagram.Stamp; SO_TIMESTAMPNS), which costs it, and each receive, some more. Where no
	// other socket of the system has asked, the kernel begins a little later, and the stamps of the first few are those of their Recv.
	Stamps bool
	// BusyPoll has receives look at the network device.
	BusyPoll BusyPoll
	// Batch is the most datagrams one receive or send call moves, 1 to MaxBatch; 0 means DefaultBatch.
	Batch int
	// Control, if not nil, sets socket options. It runs on the opening goroutine after the socket is made and before it is
	// bound; its error fails the opening. Network is "udp4", "udp6", "tcp4" or "tcp6".
	Control func(network string, fd uintptr) error
	// Notify is called, on a goroutine of the backend and never under a lock of the caller's, when a socket whose FD is -1 has become
	// readable, writable or failed. It must not block. Sockets with a descriptor never call it.
	Notify func()
	// Arena is receive and send memory to share with other sockets that the same goroutine drives; nil: the socket has its own.
	Arena *Arena
}

// A Socket moves datagrams in batches and never blocks. One goroutine at a time may use it; Close alone may be called from another.
type Socket interface {
	// FD is the descriptor to watch for readiness, the socket's or a ring's, or -1 where readiness comes through Config.Notify.
	FD() int
	// Recv receives into batch and returns how many entries it filled, errors from the network (Datagram.Err) among them.
	// With dry true the kernel had no more: a new event will come before there is anything to receive (an edge-triggered
	// caller may wait for it). With dry false there may be more: call again. A single call makes a bounded number of
	// system calls. An err that is not nil concerns the socket itself and comes with n == 0: net.ErrClosed after Close, else
	// an error the socket will not recover from.
	Recv(batch []Datagram) (n int, dry bool, err error)
	// Send sends batch in order, neighbours of one length perhaps as a train, and returns how many were handed to the kernel.
	// With n < len(batch) and err nil the kernel's queue is full (EAGAIN was seen): wait for writability, and go on receiving
	// meanwhile, then go on with batch[n:]. A non-nil err belongs to batch[n] alone, which was not sent; the caller goes on with
	// batch[n+1:]. An error that the network
	// has reported for an earlier datagram is not mistaken for one of batch[n]: that send is tried once more.
	Send(batch []Datagram) (n int, err error)
	// LocalAddr is the address the socket is bound to.
	LocalAddr() netip.AddrPort
	// Stats returns the socket's counters. It may make a system call.
	Stats() Stats
	// Close frees the descriptor. A second Close returns net.ErrClosed.
	Close() error
}

// Stats counts what a Socket did since it was opened.
type Stats struct {
	// Syscalls counts the receive and send system calls, EmptyReceives those of them that found nothing (EAGAIN). A ring
	// receives without.
	Syscalls, EmptyReceives uint64
	// Dropped counts the datagrams that the kernel threw away at the socket, up to this call, because the receive queue was full (SO_MEMINFO), which
	// are those of RcvbufErrors in /proc/net/snmp and snmp6, or because a checksum was wrong. After Close it is what the last call before returned.
	// It is 0 where the system does not tell.
	Dropped uint64
	// Trains says that the socket receives trains: one that was dropped is one in Dropped and in the kernel's own counters, however many
	// datagrams it had, up to 128. False, what Config.NoTrains makes sure of: Dropped is exact. In a sum it is true where it is for one.
	Trains bool
	// RecvBuffer and SendBuffer are the kernel buffers granted, in octets as the system reports them; 0 where it does not.
	RecvBuffer, SendBuffer int
}

// A Stream is a TCP connection that never blocks. Its Dial returns before the connection is made; until then Read and Write move
// nothing. One goroutine at a time may use it; Close alone may be called from another.
type Stream interface {
	// FD is the descriptor to watch, or -1 where readiness comes through Config.Notify.
	FD() int
	// Read reads into p. n == 0 with err nil means nothing now: wait for readability. io.EOF is the peer's orderly close. A
	// dial that failed shows here and in Write.
	Read(p []byte) (n int, err error)
	// Write writes p and returns how many octets the kernel took. n < len(p) with err nil means full, or not connected yet:
	// wait for writability, then go on with p[n:].
	Write(p []byte) (n int, err error)
	// LocalAddr is the address the connection leaves from, invalid before it is made.
	LocalAddr() netip.AddrPort
	// Close frees the descriptor. A second Close returns net.ErrClosed.
	Close() error
}

// A Backend is one way to move datagrams: an entry of the table that List returns.
type Backend struct {
	// Name is what users say to choose it.
	Name string
	// Probe returns nil where the backend works on this machine, else an error that says why not: an *UnsupportedError.
	Probe func() error
	// Open opens a Socket. Errors match the package's sentinels under errors.Is where one fits.
	Open func(Config) (Socket, error)
	// Dial starts a TCP connection to Config.Remote.
	Dial func(Config) (Stream, error)
	// Descriptors says that sockets and streams have a descriptor that somebody must watch; false: they call Config.Notify.
	Descriptors bool
}
