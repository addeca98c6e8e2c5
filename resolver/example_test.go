// On js package net has no UDP and TCP on one port, which the responder needs.

//go:build !js

package resolver_test

import (
	"context"
	"fmt"
	"log"
	"net/netip"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/responder"
	"github.com/dnsq/dnsq/resolver"
)

// exampleServer starts the built-in responder and returns its address.
func exampleServer() (resolver.Server, func()) {
	s, err := responder.Start(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		log.Fatal(err)
	}
	return resolver.Server{Addr: s.Addr()}, func() { s.Close() }
}

// A Resolver is made once and used by all goroutines.
func Example() {
	server, stop := exampleServer()
	defer stop()
	r, err := resolver.New(resolver.Config{Servers: []resolver.Server{server}})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	addrs, err := r.LookupNetIP(ctx, "ip", "www.example.com")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(addrs)
	// Output: [192.0.2.80 2001:db8::80]
}

// NXDOMAIN is an answer, not an error of the exchange.
func ExampleResolver_Exchange() {
	server, stop := exampleServer()
	defer stop()
	r, err := resolver.New(resolver.Config{Servers: []resolver.Server{server}})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	a, err := r.Exchange(context.Background(), resolver.Question{Name: "nosuch.example.com", Type: dns.TypeA})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dns.RcodeToString[int(a.Rcode)], a.Transport, a.Server == server.Addr)
	// Output: NXDOMAIN udp true
}

// Submit calls back on the resolver's goroutine, so that thousands of queries need no goroutine each.
func ExampleResolver_Submit() {
	server, stop := exampleServer()
	defer stop()
	r, err := resolver.New(resolver.Config{Servers: []resolver.Server{server}})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	const n = 100
	sizes := make(chan int, n)
	for range n {
		err := r.Submit(&resolver.Query{
			Question: resolver.Question{Name: "www.example.com", Type: dns.TypeA},
			Done: func(_ *resolver.Query, reply *resolver.Reply, err error) {
				if err != nil {
					sizes <- 0
					return
				}
				sizes <- len(reply.Msg) // reply is gone when Done returns
			},
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	answered := 0
	for range n {
		if <-sizes > 0 {
			answered++
		}
	}
	fmt.Println(answered)
	// Output: 100
}

// A program that waits for nothing else lets the Engine wait: Run returns once a Done calls Quit.
func ExampleEngine_Run() {
	server, stop := exampleServer()
	defer stop()
	e, err := resolver.NewEngine(resolver.Config{Servers: []resolver.Server{server}})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	names := []string{"www.example.com", "nosuch.example.com"}
	waiting := len(names)
	done := func(q *resolver.Query, r *resolver.Reply, err error) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(q.Name, dns.RcodeToString[int(r.Rcode)])
		if waiting--; waiting == 0 {
			e.Quit()
		}
	}
	for _, name := range names {
		if err := e.Submit(&resolver.Query{Question: resolver.Question{Name: name, Type: dns.TypeA}, Done: done}); err != nil {
			log.Fatal(err)
		}
	}
	if err := e.Run(); err != nil {
		log.Fatal(err)
	}
	// Unordered output:
	// www.example.com NOERROR
	// nosuch.example.com NXDOMAIN
}
