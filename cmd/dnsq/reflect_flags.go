package main

import (
	"errors"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/miekg/dns"
	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/responder"
)

const defaultListen = "127.0.0.1:5300"

func (r *reflector) flags(c *cobra.Command, e *environment) {
	f := c.Flags()
	r.text(c, "listen", "`address` and port to answer on, several times for several; port 0 is any that is free (default "+defaultListen+")", r.addListen)
	f.BoolVar(&r.NoUDP, "no-udp", false, "do not answer over UDP")
	f.BoolVar(&r.NoTCP, "no-tcp", false, "do not answer over TCP")
	r.text(c, "zone", "serve the zones in `file`, or in origin=file where names in it are below that; several times for several", r.addZone)
	r.text(c, "pattern", "`record` that every name has which is in no zone: TTL, type, data; several times for several", r.addPattern)
	f.Lookup("pattern").NoOptDefVal = responder.DefaultPattern
	f.IntVar(&r.Threads, "threads", 1, "`number` of threads that answer over UDP")
	f.StringVar(&r.backend, "backend", e.getenv("DNSQ_BACKEND"), "`name` of the backend; the best here by default")
	f.StringVar(&r.poller, "poller", e.getenv("DNSQ_POLLER"), "`name` of the poller; the best here by default")
	f.BoolVar(&r.spin, "spin", false, "never sleep: answer at once and on time, for a processor's time")
	f.BoolVar(&r.untilEOF, "until-eof", false, "end with the standard input, too")
	f.DurationVar(&r.stats, "stats", 0, "print a line of counts each `time`")
	f.StringVar(&r.json, "json", "", "write the totals to `file` too")
	r.faultFlags(c)
}

func (r *reflector) faultFlags(c *cobra.Command) {
	f := c.Flags()
	f.DurationVar(&r.Delay, "delay", 0, "answer so much `time` later")
	r.text(c, "jitter", "answer up to so much `time` later still, uniform; exp:time is exponential with that mean", r.setJitter)
	r.text(c, "loss", "lose this `share` of the queries: 20% or 0.2", r.setLoss)
	f.BoolVar(&r.Truncate, "tc", false, "truncate every answer over UDP: TC set, no records")
	r.text(c, "rcode", "answer with this response `code`, name or number, without records", r.setRcode)
	r.text(c, "stall", "`length`@after[/every]: receive and answer nothing so long, first so long after the first query: 200ms@2s/5s", r.setStall)
	f.Float64Var(&r.Limit, "limit-qps", 0, "have this capacity, in `queries` a second; 0: none")
	f.DurationVar(&r.LimitQueue, "limit-queue", responder.DefaultLimitQueue, "so much `time`'s work may wait at that capacity")
	f.IntVar(&r.CloseAfter, "close-after", 0, "close a TCP connection after a `number` of answers; 0: when the client does")
	f.Uint64Var(&r.Seed, "seed", 0, "`number` that loss and jitter follow from")
}

// A textFlag is one whose text is read by a function. What is wrong with it is said when all flags are read.
type textFlag struct {
	r    *reflector
	name string
	set  func(text string) error
}

func (r *reflector) text(c *cobra.Command, name, help string, set func(string) error) {
	c.Flags().Var(&textFlag{r, name, set}, name, help)
}

func (t *textFlag) String() string { return "" }
func (t *textFlag) Type() string   { return "text" }

func (t *textFlag) Set(text string) error {
	if err := t.set(text); err != nil && t.r.wrong == nil {
		t.r.wrong = usagef("--%s %q is %v", t.name, text, err)
	}
	return nil
}

func (r *reflector) addListen(text string) error {
	addr, err := netip.ParseAddrPort(text)
	if err != nil {
		return errors.New("not an address and a port; write ip:port or [ip6]:port, with port 0 for any")
	}
	r.Listen = append(r.Listen, addr)
	return nil
}

func (r *reflector) addZone(text string) error {
	origin, file, ok := strings.Cut(text, "=")
	if !ok {
		origin, file = "", text
	}
	r.Zones = append(r.Zones, responder.ZoneFile{Name: file, Origin: origin})
	return nil
}

func (r *reflector) addPattern(text string) error {
	_, err := responder.ParsePattern(text)
	r.Pattern = append(r.Pattern, text)
	return err
}

func (r *reflector) setJitter(text string) (err error) {
	text, r.Exponential = strings.CutPrefix(text, "exp:")
	if r.Jitter, err = time.ParseDuration(text); err != nil || r.Jitter < 0 {
		return errors.New("no length of time; write one such as 2ms or exp:2ms")
	}
	return nil
}

func (r *reflector) setLoss(text string) error {
	digits, percent := strings.CutSuffix(text, "%")
	share, err := strconv.ParseFloat(digits, 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share >= 0 && share <= 1) {
		return errors.New("no share; write one from 0 to 1, or 0% to 100%")
	}
	r.Loss = share
	return nil
}

func (r *reflector) setRcode(text string) error {
	code, ok := dns.StringToRcode[strings.ToUpper(text)]
	if !ok {
		n, err := strconv.ParseUint(text, 10, 8)
		code, ok = int(n), err == nil
	}
	if !ok || code < 1 || code > 15 {
		return errors.New("no response code; write a name such as SERVFAIL or a number from 1 to 15")
	}
	r.Rcode = code
	return nil
}

func (r *reflector) setStall(text string) error {
	length, when, _ := strings.Cut(text, "@")
	after, every, repeated := strings.Cut(when, "/")
	var s responder.Stall
	var err error
	read := func(text string) time.Duration {
		d, e := time.ParseDuration(text)
		if err == nil {
			err = e
		}
		return d
	}
	s.Length, s.After = read(length), read(after)
	if repeated {
		s.Every = read(every)
	}
	if err != nil || s.Length <= 0 || s.After < 0 || repeated && s.Every <= s.Length {
		return errors.New("no stall; write length@after or length@after/every, such as 200ms@2s/5s, with every more than length")
	}
	r.Stall = s
	return nil
}
