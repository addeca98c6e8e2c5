package resolver

import (
	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// Stats counts what an Engine or a Resolver did since it was made.
type Stats struct {
	Submitted, Completed uint64 // queries; each completes once
	Canceled             uint64
	Busy                 uint64 // submissions refused with ErrBusy
	InFlight             int    // queries accepted and not done

	Sent          uint64 // messages handed to the kernel, over UDP and TCP
	Received      uint64 // datagrams and TCP messages
	Timeouts      uint64 // attempts that got no reply
	Truncated     uint64 // replies with TC, asked again over TCP
	NetworkErrors uint64 // ICMP errors
	Unsent        uint64 // sends put off because the machine was short of descriptors, ports or buffers
	QueueFull     uint64 // batches put off because the kernel's queue was full

	// What came in and was thrown away.
	Short      uint64 // no header
	UnknownID  uint64 // nobody waits for that ID: late, doubled or forged
	Mismatched uint64 // the ID of a query, but another question or no response
	Malformed  uint64 // a reply to a query that cannot be read
	// Of UnknownID and Mismatched, which are the sums, with Config.Stray; else they are not told apart.
	Late      uint64 // the reply to a query that had ended without
	Duplicate uint64 // one more reply to a query

	Suspicions uint64 // queries asked over TCP besides, after too many mismatches
	Sockets    uint64 // UDP sockets opened
	Dials      uint64 // TCP connections begun
	// DialsFailed are those of Dials that came to nothing: refused, unreachable, or given up before they were made. HungUp are those that were made and
	// then closed, reset or lost by the server or the network, with queries outstanding or without.
	DialsFailed, HungUp uint64
	Panics              uint64 // in Done and in Config.Stray, recovered

	Loop   ioevent.Counters
	Socket backend.Stats // sums; the buffers are the largest
}

// add adds o to s.
func (s *Stats) add(o *Stats) {
	for i, from := range o.fields() {
		*s.fields()[i] += *from
	}
	s.InFlight += o.InFlight
	addStats(&s.Socket, o.Socket)
	addCounters(&s.Loop, &o.Loop)
}

func (s *Stats) fields() [23]*uint64 {
	return [...]*uint64{
		&s.Submitted, &s.Completed, &s.Canceled, &s.Busy, &s.Sent, &s.Received, &s.Timeouts, &s.Truncated, &s.NetworkErrors,
		&s.Unsent, &s.QueueFull, &s.Short, &s.UnknownID, &s.Mismatched, &s.Malformed, &s.Late, &s.Duplicate, &s.Suspicions, &s.Sockets, &s.Dials,
		&s.DialsFailed, &s.HungUp, &s.Panics,
	}
}

func addCounters(sum, c *ioevent.Counters) {
	sum.Turns += c.Turns
	sum.Waits += c.Waits
	sum.TimedWaits += c.TimedWaits
	sum.Wakes += c.Wakes
	sum.Syscalls += c.Syscalls
	sum.ClockReads += c.ClockReads
	sum.Datagrams += c.Datagrams
	for i, n := range c.PerWake {
		sum.PerWake[i] += n
	}
}
