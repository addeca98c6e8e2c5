package main

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/miekg/dns"
	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/bench/wait"
	"github.com/dnsq/dnsq/internal/machine"
)

// benchWait is what "bench wait" is asked to measure.
type benchWait struct {
	vs          string
	outstanding int

	pair [2]wait.Way // of vs
}

// documentWays is what the document compared.
const documentWays = "select/timeout,select/timerfd"

// newBenchWait measures waiting: with a timeout, without, and not at all.
func newBenchWait(*environment) *labBench {
	b := &benchWait{}
	return &labBench{
		name: "wait", short: "what waiting costs, with a timeout, without one, and polling", long: benchWaitHelp,
		runs: 100, seconds: 30, flags: b.flags, check: b.check, measure: b.measure,
	}
}

const benchWaitHelp = `Answer "mainloop: select() with timeout under load is very expensive" (a receiver's commit): select with a timeout reads the clock three times, which was
9.56 % of the profile where that is an HPET, as much as copying the datagrams, and receiving until EAGAIN seldom found more than a couple of them.

First a wait that finds a datagram and so does not sleep: by select, poll and epoll, with a timeout, bare, with a timerfd instead of the timeout, and with
a timeout of zero. What the timeout adds is what the kernel does for it. How often the kernel reads its clock for that cannot be counted from outside:
the number shown is by its sources. What share they have of a profile, which is the document's own figure, root can see with
"perf record -g -e cpu-clock -- dnsq bench wait" and "perf report --children -S ktime_get_ts64".

Then whole loops around these, with one query outstanding and with --outstanding: waits, datagrams, and the loop's own clock reads a wake, CPU time (of this
whole process) a wake and a datagram. --vs A,B runs two of them in alternation, --runs times each, and compares CPU time a datagram as ministat does, and by ranks.

Last the library's engine with the same load: how many of its waits slept, and how many are saved against one for each datagram.`

func (b *benchWait) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&b.vs, "vs", documentWays, "`loops` to compare, call/manner, with a comma between")
	f.IntVar(&b.outstanding, "outstanding", 64, "`queries` under load")
}

func (b *benchWait) check() (err error) {
	if b.outstanding < 1 || b.outstanding > maxRecvOutstanding {
		return usagef("--outstanding %d: write a number from 1 to %d", b.outstanding, maxRecvOutstanding)
	}
	b.pair, err = parseWays(b.vs)
	return err
}

// parseWays reads what --vs says.
func parseWays(text string) (pair [2]wait.Way, err error) {
	first, second, ok := strings.Cut(text, ",")
	if !ok {
		return pair, usagef("--vs %q: write two loops with a comma between, as %s", text, documentWays)
	}
	for i, name := range []string{first, second} {
		if pair[i], ok = wayNamed(name); !ok {
			return pair, usagef("--vs: there is no loop %q; there are: %s", name, wayNames())
		}
	}
	return pair, nil
}

func wayNamed(name string) (wait.Way, bool) {
	for _, w := range wait.Ways() {
		if w.String() == name {
			return w, true
		}
	}
	return wait.Way{}, false
}

func wayNames() string {
	var names []string
	for _, w := range wait.Ways() {
		names = append(names, w.String())
	}
	return strings.Join(names, " ")
}

// What the parts have of the seconds.
const (
	callShare   = 0.15
	loopShare   = 0.3
	waysShare   = 0.45
	engineShare = 0.1
)

func (b *benchWait) measure(l *lab.Lab) (lab.Result, error) {
	server, err := l.Responder()
	if err != nil {
		return nil, err
	}
	defer l.Pin()()
	r := &waitResult{
		Source: clockSource(), Read: float64(clockCost()), Call: float64(machine.ClockCall()),
		Outstanding: b.outstanding, Calls: []callResult{}, Loops: []loopResult{}, Engine: []engineResult{},
	}
	l.Note("the clock reads of the kernel cannot be counted from user space; what a timeout costs is measured instead, with the clock source %s", r.Source)
	if err := r.measureCalls(l); err != nil {
		return nil, err
	}
	if err := r.measureLoops(l, server); err != nil {
		return nil, err
	}
	if err := r.compareWays(l, server, b.pair); err != nil {
		return nil, err
	}
	return r, r.measureEngine(l, server)
}

// loads are the numbers outstanding that are measured.
func (r *waitResult) loads() []int {
	if r.Outstanding == 1 {
		return []int{1}
	}
	return []int{1, r.Outstanding}
}

// waitTry is short, for a datagram lost on this machine should not take the time of a run.
const waitTry = recvTimeout

// A waitSide is one loop that asks, run after run.
type waitSide struct {
	*wait.Loop
	way  wait.Way
	rate float64 // queries a second
}

// newWaitSide opens a loop, which has asked some queries when it is returned.
func newWaitSide(w wait.Way, server netip.AddrPort, outstanding int) (*waitSide, error) {
	m := new(dns.Msg).SetQuestion("h1000000.example.com.", dns.TypeA)
	m.Id = 1
	query, err := m.Pack()
	if err != nil {
		return nil, err
	}
	loop, err := wait.Open(wait.Config{Way: w, Server: server, Query: query, Outstanding: outstanding, Try: waitTry})
	if err != nil {
		return nil, err
	}
	s := &waitSide{Loop: loop, way: w}
	if _, err := s.ask(max(firstRecvQueries, 2*outstanding)); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// ask makes n queries and returns what they took.
func (s *waitSide) ask(n int) (c loopCosts, err error) {
	before, w := s.Counts, startWatch()
	err = s.Run(n)
	if errors.Is(err, wait.ErrSilent) {
		return c, fmt.Errorf("%w to any of %d queries", errNoReply, s.Less(before).Lost)
	}
	wall, cpu := w.wall(), cpuTime()-w.cpu
	s.rate = float64(n) / max(wall.Seconds(), 1e-9)
	return loopCosts{s.Less(before), cpu}, err
}

// queries is how many fit a length of time.
func (s *waitSide) queries(d time.Duration) int {
	return min(max(int(s.rate*d.Seconds()), leastRecvQueries), maxBenchQueries)
}

// tellLost says where waiting for replies that did not come is in the figures.
func (s *waitSide) tellLost(l *lab.Lab) {
	if s.Lost > 0 {
		l.Note("%v: %d queries got no reply within %v; its figures hold them", s.way, s.Lost, waitTry)
	}
}
