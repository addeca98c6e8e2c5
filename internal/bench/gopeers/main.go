// Gopeers does the work that internal/bench/compare measures with what Go programs use today.
//
//	gopeers net|miekg PORT QUERIES OUTSTANDING
//
// net is package net's resolver in Go, miekg the client of miekg/dns with a socket for each goroutine. There are as many goroutines as
// queries outstanding, and a line of key=value pairs at the end.
package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/miekg/dns"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gopeers:", err)
		os.Exit(1)
	}
}

// ask looks one name up, for one goroutine.
type ask func(name string) error

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("%d arguments; want net|miekg PORT QUERIES OUTSTANDING", len(args))
	}
	server, err := netip.ParseAddrPort("127.0.0.1:" + args[1])
	if err != nil {
		return err
	}
	var numbers [2]int
	for i, text := range args[2:] {
		if numbers[i], err = strconv.Atoi(text); err != nil || numbers[i] < 1 {
			return fmt.Errorf("%s is not a positive number", text)
		}
	}
	peer := map[string]func(string) (ask, error){"net": netPeer, "miekg": miekgPeer}[args[0]]
	if peer == nil {
		return fmt.Errorf("%s is neither net nor miekg", args[0])
	}
	f := &flow{queries: numbers[0]}
	return f.run(numbers[1], func() (ask, error) { return peer(server.String()) })
}

func netPeer(server string) (ask, error) {
	r := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server)
	}}
	return func(name string) error {
		_, err := r.LookupNetIP(context.Background(), "ip4", name)
		return err
	}, nil
}

func miekgPeer(server string) (ask, error) {
	client := &dns.Client{}
	conn, err := client.Dial(server)
	if err != nil {
		return nil, err
	}
	return func(name string) error {
		_, _, err := client.ExchangeWithConn(new(dns.Msg).SetQuestion(name, dns.TypeA), conn)
		return err
	}, nil
}

// flow makes a number of queries from several goroutines.
type flow struct {
	queries     int
	taken, lost atomic.Int64

	mu    sync.Mutex
	trips []time.Duration
}

func (f *flow) run(goroutines int, peer func() (ask, error)) error {
	began := time.Now()
	var all sync.WaitGroup
	for range goroutines {
		a, err := peer()
		if err != nil {
			return err
		}
		all.Go(func() { f.askAll(a) })
	}
	all.Wait()
	took := time.Since(began)
	slices.Sort(f.trips)
	fmt.Printf("n=%d qps=%.0f lost=%d p50_us=%.1f\n", f.queries, float64(f.queries)/took.Seconds(), f.lost.Load(),
		float64(f.trips[len(f.trips)/2])/float64(time.Microsecond))
	return nil
}

func (f *flow) askAll(a ask) {
	var own []time.Duration
	for i := f.taken.Add(1); i <= int64(f.queries); i = f.taken.Add(1) {
		began := time.Now()
		if a(fmt.Sprintf("h%07d.example.com.", i)) != nil {
			f.lost.Add(1)
		}
		own = append(own, time.Since(began))
	}
	f.mu.Lock()
	f.trips = append(f.trips, own...)
	f.mu.Unlock()
}
