package ioevent

import "math"

// Time is a number of nanoseconds on the process's monotonic clock. Only differences and comparisons mean anything.
type Time int64

// Never is later than every other Time.
const Never Time = math.MaxInt64

// A Token is the number of one registration with a Loop. It is never used again, so a late event cannot reach the wrong handler.
type Token uint64

// Interest says which readiness is wanted (Add) or has come (Event).
type Interest uint8

const (
	Read  Interest = 1 << iota // readable, or the peer has closed
	Write                      // writable, or a connect has ended
	Error                      // an error is pending; reported whether asked for or not
	End                        // what can be read has an end: the peer has closed; comes with Read from an edge-triggered poller, perhaps from another
)

// An Event is readiness of one registration.
type Event struct {
	Token Token
	Ready Interest
}

// A Poller is one operating-system mechanism that waits for readiness. Only Wake may be called from a goroutine other than the
// loop's. Whether it is edge-triggered is a field of its table entry; a Poller counts its system calls in the Counters it was opened with.
type Poller interface {
	// Add watches fd, or changes what it is watched for. Events carry tok. With the file already ready an event comes at
	// once, from an edge-triggered poller too.
	Add(fd int, tok Token, in Interest) error
	// Remove stops watching fd. It must be called before fd is closed. An event already fetched may still carry its token.
	Remove(fd int) error
	// Arm sets the one timer: a blocking Wait returns soon after at, which replaces the time armed before. Never disarms.
	Arm(at Time) error
	// Wait fills evs and returns how many. With block false it only looks. With block true it sleeps until there is an event,
	// the armed time has come, or Wake was called; n may then be 0. It takes no timeout: what is timed is armed. A signal does not end it.
	Wait(evs []Event, block bool) (n int, err error)
	// Wake ends a blocking Wait, the current one or the next. Wakes may be merged.
	Wake() error
	// Close frees the descriptors. Nothing may be called after it.
	Close() error
}

// A Descriptor is a Poller whose own readiness can be watched by another loop through a descriptor (epoll, kqueue).
type Descriptor interface {
	FD() int
}

// A Handler is what a Loop calls for one registration, on the loop's goroutine. It does a bounded piece of work, reports the datagrams it
// moved with Loop.Spent, and says whether it is done.
type Handler interface {
	// HandleEvent returns dry true when it need not be called before a new event, false to be called again next turn. A call
	// that follows a false has Ready as it was.
	HandleEvent(ev Event) (dry bool)
}

// A Mechanism is an entry of the table that List returns: one kind of Poller.
type Mechanism struct {
	// Name is what users say to choose it.
	Name string
	// Edge says that an event comes once for each change to ready, so that a handler must drain.
	Edge bool
	// Files says that descriptors can be watched; false for the portable one, which only Notify makes ready.
	Files bool
	// Latency says how it waits.
	Latency Latency
	// Probe returns nil where the mechanism works on this machine, else an error that says why not and matches errors.ErrUnsupported.
	Probe func() error
	// Open makes a Poller that counts into c, which the loop's goroutine owns.
	Open func(c *Counters) (Poller, error)
}
