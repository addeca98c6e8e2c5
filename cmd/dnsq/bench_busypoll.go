package main

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/miekg/dns"
	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/bench/busypoll"
	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/internal/netpair"
)

// benchBusypoll is what "bench busypoll" is asked to measure.
type benchBusypoll struct {
	sockets int
	netns   string
}

// newBenchBusypoll measures waiting asleep, with busy polling, and spinning.
func newBenchBusypoll(*environment) *labBench {
	b := &benchBusypoll{}
	return &labBench{
		name: "busypoll", short: "latency by poll, select and epoll, asleep, with busy polling, and spinning", long: benchBusypollHelp,
		runs: 20, seconds: 24, flags: b.flags, check: b.check, measure: b.measure,
	}
}

const benchBusypollHelp = `Answer "net: low latency Ethernet device polling" (v5, a kernel patch series): poll and select that look at the device's queue before they sleep cut the
latency over 10 UDP sockets from 52 to 7 µs there. Those figures are sockperf's, which prints half a round trip and had busy polling at both ends of a fast
network; here they are whole round trips to a responder that sleeps, on another processor. The ratios can be compared, the times not.

One message is in flight, over --sockets sockets in turn. Each of poll, select and epoll waits in three ways: asleep; with busy polling (SO_BUSY_POLL 50 µs,
SO_PREFER_BUSY_POLL and SO_BUSY_POLL_BUDGET on each socket, and EPIOCSPARAMS on the epoll); and spinning, which is by calls that only look, and keeps
the processor. All runs alternate. For each: the round trip, the processor's time a message (of this process), the part of a processor that was used, and
how many replies the kernel itself took off the device for the one who waited (BusyPollRxPackets).

Loopback has no device queue, so busy polling has nothing to poll there: the NAPI id is 0. --netns measures it too over a pair of veth devices in two network
namespaces, which have one with gro and rx-udp-gro-forwarding on and tso off. That needs root and the programs ip and ethtool; by default it is measured where it can
be. --netns=no leaves it out. With -s the server is asked by whatever way leads to it, and nothing else is measured.`

func (b *benchBusypoll) flags(c *cobra.Command) {
	f := c.Flags()
	f.IntVar(&b.sockets, "sockets", 10, "sockets that are waited for")
	f.StringVar(&b.netns, "netns", "auto", "measure over a pair of devices, in network namespaces, too: `yes`, no, or auto")
	f.Lookup("netns").NoOptDefVal = "yes"
}

// maxBusySockets keeps descriptors below what select knows.
const maxBusySockets = 500

func (b *benchBusypoll) check() error {
	switch {
	case b.sockets < 1 || b.sockets > maxBusySockets:
		return usagef("--sockets %d: write a number from 1 to %d", b.sockets, maxBusySockets)
	case b.netns != "yes" && b.netns != "no" && b.netns != "auto":
		return usagef("--netns=%s: write yes, no or auto", b.netns)
	}
	return nil
}

func (b *benchBusypoll) measure(l *lab.Lab) (lab.Result, error) {
	r := &busypollResult{Sockets: b.sockets, BusyPoll: sysctl("net/core/busy_poll")}
	veth := b.netns != "no" && !l.Server.IsValid()
	each := l.Share(l.Runs * len(busypoll.Ways()))
	if veth {
		each /= 2
	}
	server, err := l.Responder()
	if err != nil {
		return nil, err
	}
	name := "loopback"
	if !server.Addr().IsLoopback() {
		name = "to " + server.Addr().String()
	}
	if err := r.measure(l, name, server, each); err != nil {
		return nil, err
	}
	if !veth {
		return r, nil
	}
	return r, b.measureVeth(l, r, each)
}

// measureVeth asks a responder in another network namespace.
func (b *benchBusypoll) measureVeth(l *lab.Lab, r *busypollResult, each time.Duration) (err error) {
	none := netpair.Run(true, func(far *netpair.Far) error {
		var p *lab.Process
		far.Do(func() { p, err = l.Start("reflect", "--listen", netpair.FarAddress+":0", "--until-eof") })
		if err != nil {
			return nil
		}
		defer p.Stop()
		server, wrong := p.Addr()
		if err = wrong; err == nil {
			err = r.measure(l, "veth", server, each)
		}
		return nil
	})
	if none != nil && b.netns == "yes" {
		return none
	}
	if none != nil {
		l.Note("not measured over a pair of devices: %v", none)
	}
	return err
}

// A busyRun is one way's client and what its runs gave.
type busyRun struct {
	client    *busypoll.Client
	latencies []float64 // µs
	medians   []float64 // of each run
	took, cpu time.Duration
	polled    uint64
}

// measure asks by all ways in alternation.
func (r *busypollResult) measure(l *lab.Lab, name string, server netip.AddrPort, each time.Duration) error {
	defer l.Pin()()
	n := busyNetwork{Name: name}
	runs := make([]busyRun, len(busypoll.Ways()))
	defer func() {
		for _, run := range runs {
			if run.client != nil {
				_ = run.client.Close()
			}
		}
	}()
	message, err := busyMessage()
	if err != nil {
		return err
	}
	for i, w := range busypoll.Ways() {
		n.Ways = append(n.Ways, busyWay{Way: w})
		c, err := busypoll.Open(w, server, r.Sockets)
		if err != nil {
			n.Ways[i].Unavailable = err.Error()
			continue
		}
		runs[i].client = c
		if err := runs[i].ask(message, 0); err != nil {
			return fmt.Errorf("%w from %v by %v: %w", errNoReply, server, w, err)
		}
		n.NAPI, _ = c.NAPI() // 0 where the system does not tell
		runs[i] = busyRun{client: c}
	}
	err = l.Alternate(len(runs), l.Runs, func(i int) error {
		if runs[i].client == nil {
			return nil
		}
		return runs[i].ask(message, each)
	})
	if err != nil {
		return fmt.Errorf("%w from %v: %w", errNoReply, server, err)
	}
	r.Networks = append(r.Networks, n)
	return r.Networks[len(r.Networks)-1].finish(l, r, runs)
}

// busyMessage is a query whose ID the client sets.
func busyMessage() ([]byte, error) {
	return new(dns.Msg).SetQuestion("www.example.com.", dns.TypeA).Pack()
}

const (
	firstMessages = 20 // of a run, which do not count: what was asleep has to wake
	busyPatience  = 5 * time.Second
)

// ask asks for d, and once at least.
func (b *busyRun) ask(message []byte, d time.Duration) error {
	end := time.AfterFunc(d+busyPatience, b.client.GiveUp)
	defer end.Stop()
	for range firstMessages {
		if _, err := b.client.Ask(message); err != nil {
			return err
		}
	}
	before := len(b.latencies)
	polled := busypoll.Polled()
	user, sys := machine.CPUTimes()
	began := time.Now()
	for len(b.latencies) == before || time.Since(began) < d {
		took, err := b.client.Ask(message)
		if err != nil {
			return err
		}
		b.latencies = append(b.latencies, float64(took)/1e3)
	}
	b.took += time.Since(began)
	user2, sys2 := machine.CPUTimes()
	b.cpu += user2 + sys2 - user - sys
	b.polled += busypoll.Polled() - polled
	b.medians = append(b.medians, latencyOf(b.latencies[before:]).P50)
	return nil
}
