package main

import (
	"fmt"
	"time"
)

// work is what two sides are given to do.
type work struct {
	name       string
	ours, peer side
	seconds    float64 // a run
	figures    []figure
}

// side is a client against a server. Flags mean the same to both clients, as far as they know them.
type side struct {
	label  string // in the table
	client string // a program: dnsq, as in "dnsq load", or dnsperf
	server string // see serverProgram
	flags  string
}

func dnsq(server, flags string) side    { return side{"dnsq", "dnsq", server, flags} }
func dnsperf(server, flags string) side { return side{"dnsperf", "dnsperf", server, flags} }

// serverProgram is the program behind a server: "dnsq reflect", as it is or stalled; Knot; else clients/reflect.c of that kind.
func serverProgram(server string) string {
	switch server {
	case "dnsq", "stalled":
		return "dnsq"
	case "knot":
		return "knotd"
	}
	return "reflect"
}

// loadOptions are what the command line says of the load generators' table, and what only tests change.
type loadOptions struct {
	chosen   bool
	markdown bool
	seconds  float64       // a run as fast as possible
	stalled  float64       // seconds of a run with a stall
	stall    time.Duration // from the first query
}

const (
	most        = "-q 1000 -b 4096 -c 1" // as fast as possible
	connections = "-m tcp -q 1000 -b 4096 -c 10"
	pacingRate  = 10_000 // queries a second
	pacingFlags = "-Q 10000 -c 1"
	stallFlags  = "-Q 5000 -c 1"
	verbose     = " -v" // dnsperf prints each latency: it has no percentiles before 2.11

	// stallLength is how long a stalled server does nothing: p99 is that less a hundredth of the run, 150 ms of 5 s.
	stallLength = 200 * time.Millisecond
)

// works is the table of what is measured.
func works(o loadOptions) []work {
	return append(fast(o), timed(o)...)
}

// fast are those where both do as much as they can.
func fast(o loadOptions) []work {
	own := figure{what: "CPU as dnsq counts it, without its start, µs", key: "own_cpu_us", decimals: 2, alone: true}
	return []work{
		{"UDP, 1,000 outstanding, responder reflect.c plain", dnsq("plain", most), dnsperf("plain", most), o.seconds, []figure{
			{what: "CPU a query, µs", key: "cpu_us", decimals: 2, target: atMost(3.4), ratio: atMost(0.4)},
			own,
		}},
		{"the same, responder reflect.c gso", dnsq("gso", most), dnsperf("gso", most), o.seconds, []figure{
			{what: "queries a second on one processor", key: "qps", target: atLeast(1_200_000), ratio: atLeast(10)},
			{what: "CPU a query, µs", key: "cpu_us", decimals: 2, target: atMost(0.8)},
			own,
		}},
		{"TCP, 10 connections pipelined, Knot", dnsq("knot", connections), dnsperf("knot", connections), o.seconds, []figure{
			{what: "queries a CPU second", key: "per_cpu_s", ratio: atLeast(3)},
			own,
		}},
		{"dnsq reflect against reflect.c plain, client dnsq load", dnsq("dnsq", most), side{"reflect.c plain", "dnsq", "plain", most}, o.seconds, []figure{
			{what: "answers a second", key: "qps", ratio: atLeast(0.8)},
		}},
		{"the same, reflect.c gso", dnsq("dnsq", most), side{"reflect.c gso", "dnsq", "gso", most}, o.seconds, []figure{
			{what: "answers a second", key: "qps"}, // both in trains: no target is set
		}},
	}
}

// timed are those with a rate.
func timed(o loadOptions) []work {
	return []work{
		{"pacing at 10,000 a second", dnsq("stamps", pacingFlags), dnsperf("stamps", pacingFlags), 2 * o.seconds, []figure{
			{what: "the slot of 100 ms furthest from 1,000, by %", key: "slot_off", decimals: 2, target: atMost(1), alone: true},
			{what: "bins of 1 ms without a query, %", key: "empty", decimals: 2, target: atMost(1), alone: true},
		}},
		{fmt.Sprintf("server that stalls %v at %v of %v s, 5,000 a second", stallLength, o.stall, o.stalled),
			dnsq("stalled", stallFlags), dnsperf("stalled", stallFlags+verbose), o.stalled, []figure{
				{what: "p99 of response time, ms", key: "p99_ms", decimals: 1, target: within(150, 10), alone: true},
				{what: "p50 of response time less that of service time, ms", key: "p50_off_ms", decimals: 3, target: within(0, 0.1), alone: true},
			}},
	}
}
