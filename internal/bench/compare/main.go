// Compare measures dnsq and what one would use instead of it, doing the same work on the same Linux machine:
//
//	go run ./internal/bench/compare [--runs 5] [--outstanding 1,64,1000] [--responder plain,gso] [--api engine,exchange]
//	go run ./internal/bench/compare --load [--runs 5] [--seconds 1.25] [--markdown]
//
// A responder that costs little is pinned to processor 1 and each client in its turn to processor 0; the runs of all clients are
// interleaved, and what is printed are medians, as a table in Markdown. "floor" is the least that a client in C can spend without any
// DNS in it: with sendmmsg and recvmmsg, and with trains of datagrams (UDP_SEGMENT, UDP_GRO). Compare ratios within one table: times
// drift on a machine that does other work.
//
// The C programs, in the folder clients, are compiled with cc; libudns-dev and libc-ares-dev are the Debian packages of two peers. What does
// not compile here is left out, and a line says so. Without cc the responder is "dnsq reflect", and there is no floor.
//
// CPU is user and system time of the client's process in nanoseconds a query: as the client counts it (cpu_ns in the line it prints, without
// its start), else all of the process's.
//
// --load compares load generators in the same way: "dnsq load" with dnsperf, and "dnsq reflect" with the C responder, each figure with the
// target that it has. Debian's packages dnsperf and knot are the peers. CPU is all of the process's there, of both sides. When a query was sent
// is what the kernel stamped at the responder.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	runs        int
	queries     int
	outstanding []int
	responders  []string
	apis        []string
	with        []client
	programs    []program // to be built
	load        loadOptions
}

func main() {
	o, err := parse(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	what := compare
	if o.load.chosen {
		what = compareLoad
	}
	if err == nil {
		err = what(o, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func parse(args []string) (o options, err error) {
	o.programs = programs()
	f := flag.NewFlagSet("compare", flag.ContinueOnError)
	f.SetOutput(os.Stderr)
	f.IntVar(&o.runs, "runs", 5, "runs of each client")
	f.IntVar(&o.queries, "queries", 300_000, "queries a run of the fastest clients; the others make fewer")
	outstanding := f.String("outstanding", "1,64,1000", "queries in flight at a time")
	responders := f.String("responder", "plain,gso", "responders: plain, gso (trains in and out), held (as gso, and it keeps replies back so that so many queries are outstanding indeed)")
	apis := f.String("api", "engine,exchange", "dnsq's ways in, see dnsq bench engine --help")
	f.Func("with", "another client, as `label=command`, where {port}, {n} and {outstanding} are replaced; it prints key=value pairs", func(text string) error {
		label, command, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("write label=command")
		}
		o.with = append(o.with, client{label: label, command: strings.Fields(command), share: 1})
		return nil
	})
	o.load = loadOptions{stalled: 5, stall: 2 * time.Second}
	f.BoolVar(&o.load.chosen, "load", false, "compare load generators instead of clients")
	f.BoolVar(&o.load.markdown, "markdown", false, "with --load: a table in Markdown")
	f.Float64Var(&o.load.seconds, "seconds", 1.25, "with --load: length of a run as fast as possible; one at a rate takes twice as long")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if err := fits(f, o.load); err != nil {
		return o, err
	}
	if o.load.chosen {
		o.programs = slices.DeleteFunc(o.programs, func(p program) bool { return p.name != "dnsq" && p.name != "reflect" })
	}
	if f.NArg() > 0 || o.runs < 1 || o.queries < 100 {
		return o, fmt.Errorf("want no arguments, at least 1 run and at least 100 queries; see --help")
	}
	for text := range strings.SplitSeq(*outstanding, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return o, fmt.Errorf("--outstanding %s: write numbers with commas between them", *outstanding)
		}
		o.outstanding = append(o.outstanding, n)
	}
	o.responders, o.apis = strings.Split(*responders, ","), strings.Split(*apis, ",")
	return o, nil
}

// fits refuses flags of one comparison with the other.
func fits(f *flag.FlagSet, load loadOptions) (err error) {
	const least, longest = 0.1, 30 // seconds: less has no whole slot of the pacing
	if !(load.seconds >= least && load.seconds <= longest) {
		return fmt.Errorf("--seconds %v: write a number from %v to %v", load.seconds, least, longest)
	}
	f.Visit(func(set *flag.Flag) {
		switch set.Name {
		case "load", "runs":
		case "markdown", "seconds":
			if !load.chosen {
				err = fmt.Errorf("--%s is for --load: add that, or leave it out", set.Name)
			}
		default:
			if load.chosen {
				err = fmt.Errorf("--%s has no meaning with --load: leave one of them out", set.Name)
			}
		}
	})
	return err
}
