// Package backend moves datagrams in batches over one socket that never blocks, in one of several ways.
//
// A [Backend] is one way. [List] returns those compiled in, the best first, and [Named] finds the one a user asked for, or the first that
// works here:
//
//	gso       Linux 5.0  the same with trains: datagrams of one size that cross the kernel as one (UDP_SEGMENT, UDP_GRO)
//	recvmmsg  Linux      recvmmsg(2) and sendmmsg(2): one system call for up to 1024 datagrams
//	recvfrom  Unix       recvfrom(2) and sendto(2): one datagram a call, until EAGAIN
//	uring     Linux 6.0  io_uring(7): the kernel receives ahead of the process; sends as gso does
//	net       anything   package net, with a goroutine in each direction; no descriptor to watch
//
// [Backend.Open] makes a [Socket], [Backend.Dial] a [Stream] over TCP. The caller waits for readiness in its own way, on the descriptor that
// FD returns or, where that is -1, through [Config.Notify], then calls Recv until it says that the kernel is dry.
//
// # Memory
//
// The caller owns every buffer. A [Datagram] received is in its Buf, which may be as short as most datagrams are, because the [Arena] has room
// for one of any size behind it: there a longer one is whole. If one receive call brings several of those, the last is whole and the others
// are Truncated. A socket that receives trains has an area for each of 16 messages instead, and what does not fit into the caller's batch is
// kept for the next Recv. Sockets that one goroutine drives share an Arena, so that a socket itself costs little. Once warm, Recv and Send of a
// socket with a descriptor allocate nothing; on systems other than Linux a source address of an unconnected socket is an exception.
//
// # Level and edge
//
// Dry is true when the kernel had nothing more, and never otherwise. A loop on a level-triggered poller may ignore it; one on an
// edge-triggered poller calls again until it is true. A short recvmmsg(2) is dry without another call, recvfrom(2) is when it said EAGAIN.
//
// The FD of an io_uring(7) is the ring: readable while it holds completions, and each that comes makes an edge, as does one that only says that
// there is a report to read. While the send queue is full it is not writable; room makes it readable, and Recv makes it writable.
//
// # Trains
//
// Most of what a datagram costs is the same for one and for sixty. The gso backend sends neighbours in a batch that go to one address and are
// of one length, the last one perhaps shorter, as one message of at most 65,507 octets and as many datagrams as the kernel takes, 128 or 64. What
// it sends is in order, so it is for the caller to put equal lengths together. A path may refuse trains, or those of a length: they are then
// sent one by one, and tried again 1,024 sends later. Nothing else differs: who receives a train gets it as datagrams, each with its own entry.
// A receiver that copes sees them arrive at once, though: its receive buffer, and the queue of the interface, take them or lose them together.
// So does the socket's own queue, where the socket receives trains: one that finds it full is lost whole, and the kernel counts it once, as does
// [Stats].Dropped. [Config].NoTrains has it cut up ahead of the queue, and each datagram counted.
//
// The system reports on a train that did not get there once, with the octets of its first datagram and some of those behind it; on a train
// that was cut up on its way it reports for each.
//
// # Errors
//
// An error that the network reports about a datagram sent earlier comes out of Recv, among the datagrams, with [Datagram.Err] set. On
// Linux (IP_RECVERR) it carries the destination and the first octets of the datagram it is about, for unconnected sockets, too; elsewhere and
// in the net backend connected sockets learn that something sent to the peer was lost. The kernel also tells such an error once to whichever call
// comes next: a receive then reads the error queue and goes on, a send is tried once more, so that a good server does not pay for a dead
// one. What is wrong with a datagram itself is the error of Send. Errors match a sentinel of this package, such as [ErrRefused], under errors.Is
// and wrap the *os.SyscallError they come from.
//
// # Concurrency
//
// One goroutine at a time uses a Socket or a Stream. Close may come from any: calls in progress end first, and the number of the descriptor
// goes back to the system only then, so that no call reaches a file that was given the number since.
package backend
