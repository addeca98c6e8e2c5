package main

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/signal"
	"time"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/responder"
	"github.com/dnsq/dnsq/ioevent"
)

// reflector is what "reflect" is asked to be.
type reflector struct {
	responder.Config
	backend, poller string
	spin            bool
	untilEOF        bool
	stats           time.Duration
	json            string // file
	wrong           error  // what a flag's text is
}

// reflectCommand is the built-in responder by itself, until it is interrupted.
func reflectCommand(e *environment) *cobra.Command {
	r := &reflector{}
	c := &cobra.Command{
		Use:   "reflect",
		Short: "answer queries from zones or a pattern, over UDP and TCP, also badly",
		Long:  reflectHelp,
		Args:  noWords,
		RunE:  func(*cobra.Command, []string) error { return r.run(e) },
	}
	r.flags(c, e)
	return c
}

const reflectHelp = `Answer queries until interrupted, and print where ("answering on ip:port over UDP and TCP", a line for each address) and, at the end, what
came and what became of it.

Without --zone and --pattern the built-in zones are served: "go doc internal/responder" lists them. --zone serves files (RFC 1035, with $INCLUDE and
$GENERATE) as an authoritative server does: wildcards, aliases within the zones, referrals, denials with SOA. --pattern has one answer for every name
that is in no zone, and is the fastest. Other names are refused.

Faults, for UDP and TCP where nothing else is said: a query is lost (--loss), or beyond the capacity (--limit-qps), or its answer has another response code
(--rcode) or is truncated (--tc, UDP alone), and late (--delay, --jitter). The random ones follow from --seed. A delay over UDP is kept to what it takes to
wake a thread, some 50 µs, or to some µs with --spin, which keeps a processor busy; over TCP to a millisecond. --limit-qps is a server that takes
1/qps for each query and has a queue of 10 ms (--limit-queue): beyond that it drops.

The last line counts: received = answered + dropped_loss + dropped_limit + dropped_send (no room for the answer, or too late) + ignored (no queries) + held
(not due yet; 0 at the end). What the system dropped because its receive queue was full, dropped_kernel, is not in received.`

func (r *reflector) run(e *environment) error {
	if err := r.complete(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // SIGTERM ends the process without our doing
	defer stop()
	if r.untilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, e.stdin) // ends with whoever started this, whatever ends that
			stop()
		}()
	}
	s, err := responder.Open(r.Config)
	if err != nil {
		return err
	}
	t := newReflectStats(s)
	for _, addr := range s.Addrs() {
		fmt.Fprintf(e.stdout, "answering on %s over %s\n", addr, r.transports())
	}
	err = t.follow(ctx, e.stdout, r.stats)
	if e := s.Close(); err == nil {
		err = e
	}
	if e := t.total(e.stdout, r.json); err == nil {
		err = e
	}
	return err
}

// complete checks what the flags say together.
func (r *reflector) complete() (err error) {
	if r.wrong != nil {
		return r.wrong
	}
	if len(r.Listen) == 0 {
		r.Listen = []netip.AddrPort{netip.MustParseAddrPort(defaultListen)}
	}
	if err := r.bounds(); err != nil {
		return err
	}
	if r.NoUDP && r.NoTCP {
		return usagef("--no-udp and --no-tcp: leave one of them out")
	}
	if r.spin {
		if r.poller != "" {
			return usagef("--spin and --poller %s: leave one of them out", r.poller)
		}
		r.Poller, err = ioevent.ForLatency(ioevent.Spin)
		if err != nil {
			return usagef("--spin: %v", err)
		}
	}
	return r.mechanisms()
}

// bounds checks the numbers.
func (r *reflector) bounds() error {
	for _, t := range []struct {
		flag  string
		value time.Duration
	}{{"--stats", r.stats}, {"--delay", r.Delay}, {"--limit-queue", r.LimitQueue}} {
		if t.value < 0 {
			return usagef("%s %v: write a length of time such as 1s", t.flag, t.value)
		}
	}
	switch {
	case r.Threads < 1 || r.Threads > responder.MaxThreads:
		return usagef("--threads %d: write a number from 1 to %d", r.Threads, responder.MaxThreads)
	case !(r.Limit >= 0 && r.Limit <= responder.MaxLimit):
		return usagef("--limit-qps %v: write a number from 0 to %.0f", r.Limit, responder.MaxLimit)
	case r.CloseAfter < 0:
		return usagef("--close-after %d: write a number of answers, 0 for any", r.CloseAfter)
	}
	return nil
}

// mechanisms leaves it to the responder to pick what no flag names.
func (r *reflector) mechanisms() error {
	b, p, err := mechanismsNamed(r.backend, r.poller)
	if err != nil {
		return err
	}
	if r.backend != "" {
		r.Backend = b
	}
	if r.poller != "" {
		r.Poller = p
	}
	return nil
}

func (r *reflector) transports() string {
	switch {
	case r.NoUDP:
		return "TCP"
	case r.NoTCP:
		return "UDP"
	}
	return "UDP and TCP"
}

// noWords refuses arguments that are no flags.
func noWords(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument %q; to ask for the name %s write %s.", c.CommandPath(), args[0], c.Name(), c.Name())
	}
	return nil
}
