// Package ioevent turns readiness, timers and wake-ups into calls on one goroutine.
//
// A [Loop] goes round in turns. Each turn waits for events, reads the clock at most once, calls the handlers that are ready within a budget of
// datagrams and time, fires the timers that are due, and calls the owner's tick, which submits what was queued meanwhile. What the budget
// left over comes first in the next turn, so that neither a busy socket nor a slow handler holds up a timer or the other sockets.
//
// The operating system's part is a [Poller]. [List] is the table of those compiled in, in the order of preference, [Named] picks one by its
// name and [ForLatency] by what waiting may cost.
//
// # Level and edge
//
// Under a level trigger an event comes again in each wait while the descriptor is ready; under an edge trigger once for each change to
// ready. Handlers need not know: one that returns dry = false, because there may be more, is called again next turn either way; one that
// returns true has seen the end, and a new event comes before there is more. On a stream a short read is the end, unless the event has End: what tells of
// the peer's close has come with it then, and the close is still to be read.
//
// # Time
//
// No wait has a timeout. Timers sit in a hierarchical wheel (O(1) to start and stop, exact to the nanosecond), and the poller's one timer is set only
// before the loop sleeps and only for a time earlier than it is set to: most timers are stopped before they come. [Time] is monotonic; in a
// testing/synctest bubble it is the bubble's, for a loop on the poller "chan".
//
// Where a read of the clock costs more than 200 ns, because no vDSO serves it, turns that do not sleep share one and reckon in between: see
// Config.ClockEvery. Timers come by the clock all the same. [Loop.Refresh] is for a tick that has let others' code run and now sets timers.
//
// # Concurrency
//
// A Loop belongs to the goroutine that turns it. Other goroutines may call Wake and Notify, which make a system call only when the loop sleeps
// and nobody has woken it yet.
//
// A Loop can be turned by another loop: see [Loop.Poll], [Loop.Expire] and [Loop.FD].
//
// # Errors
//
// The system's errors are *os.SyscallError. What a mechanism cannot do matches errors.ErrUnsupported, what a closed loop cannot, net.ErrClosed.
package ioevent
