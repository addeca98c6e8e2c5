package main

import (
	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/load"
)

// loadFlags are those of "load", as given.
type loadFlags struct {
	servers          []string
	port             uint16
	transport        string
	sources          string
	clients, threads int

	data, generators   []string
	update, stream     bool
	skipBad            bool
	rounds             int
	edns               string
	dnssec, cd, nsid   bool
	ecs                string
	options            []string
	typ                string
	mixedCase          bool
	hitRate            float64
	rate, arrival      string
	speed              float64
	outstanding        int
	perClient, perConn int

	duration, warmup, timeout, lag seconds
	count                          uint64
	seed                           uint64
	stamps                         bool
	buffer                         kibibytes
	backend, poller                string

	every                  seconds
	quiet                  bool
	json, csv, hlog        string // files
	html, metrics, profile string
	prom                   string
	failOn                 string
	calibrate, findMax     bool
	slo                    string
	ab                     string
	runs                   int
	within                 float64
}

// loadCommand is the load generator.
func loadCommand(e *environment) *cobra.Command {
	f := &loadFlags{}
	c := &cobra.Command{
		Use: "load", Short: "load name servers, and tell what came of each query", Long: loadHelp, Args: noWords,
		RunE: func(c *cobra.Command, _ []string) error { return f.run(e, c) },
	}
	f.addTargets(c)
	f.addQueries(c)
	f.addLoad(c, e)
	f.addOutput(c)
	c.Flags().SortFlags = false
	c.AddCommand(loadCompareCommand(e))
	return c
}

const loadHelp = `Send queries to name servers and account for each of them. Without a rate (-Q) so many as -q says are kept outstanding; with one each query has an
instant of its own and leaves then, whatever the servers do. What cannot be sent on time is counted and never made up for in a burst.

Latency is given twice: the response time from the instant that the plan had, the service time from the send. A timeout is no latency; a second column
counts it as one. The verdict says whether the figures are the servers' or this machine's.

Flags with one letter mean what they mean to dnsperf, but for these: -Q has no window of its own unless -q is given, and -s may be given
several times, as addr, addr:port or [addr]:port and *WEIGHT behind it; "self" is the responder inside, in another process.

Exit status: 0 the result is valid; 1 an argument is wrong; 3 --fail-on is not kept to, or a comparison came out worse; 4 the result is
invalid, as the verdict says; 5 a comparison is undecided; 9 no server replied; 10 something else failed.`

func (f *loadFlags) addTargets(c *cobra.Command) {
	l := c.Flags()
	l.StringArrayVarP(&f.servers, "server", "s", []string{"127.0.0.1"}, "`server` to send to")
	l.Uint16VarP(&f.port, "port", "p", 53, "`port` of servers that are given without")
	l.StringVarP(&f.transport, "transport", "m", "udp", "udp or tcp")
	l.StringVarP(&f.sources, "source", "a", "", "local `addresses` and prefixes to send from, separated by commas")
	l.IntVarP(&f.clients, "clients", "c", 0, "`number` of sockets or connections to a server, in each thread; 4, over TCP 1")
	l.IntVarP(&f.threads, "threads", "T", 1, "`number` of threads, each with its own part of all")
}

func (f *loadFlags) addLoad(c *cobra.Command, e *environment) {
	l := c.Flags()
	l.StringVarP(&f.rate, "rate", "Q", "", "queries a second, or a `profile`: 10k/30s, ramp 0..200k/60s, hold 30s, step 1k..5k+1k/10s")
	l.StringVar(&f.arrival, "arrival", "", "constant, poisson, or recorded, as in a capture")
	l.Float64Var(&f.speed, "replay-speed", 1, "how much faster than recorded")
	l.IntVarP(&f.outstanding, "outstanding", "q", 0, "the most queries outstanding in all; 100, with a rate as many as there are IDs")
	l.IntVar(&f.perClient, "per-client", 0, "the most queries outstanding on a socket or connection; 0: as many as there are IDs")
	l.IntVar(&f.perConn, "per-connection", 0, "close a TCP connection after so many queries; 0: never")
	l.VarP(&f.duration, "duration", "l", "`length` of the run, in seconds or as 1m30s; without it and -n and --count the queries are gone through once")
	l.Uint64Var(&f.count, "count", 0, "end after so many queries")
	l.Var(&f.warmup, "warmup", "`length` of a part before the run that counts in nothing")
	f.timeout = seconds(load.DefaultTimeout)
	l.VarP(&f.timeout, "timeout", "t", "`length` of time after which a query is lost")
	f.lag = seconds(load.DefaultLag)
	l.Var(&f.lag, "lag", "how late a query may leave; after that it is not sent, and counted")
	l.Uint64Var(&f.seed, "seed", 1, "`number` that names, arrivals and choices follow from")
	f.buffer = load.DefaultRecvBuffer
	l.VarP(&f.buffer, "receive-buffer", "b", "`size` of a socket's receive buffer, in KiB or as 4M")
	l.BoolVar(&f.stamps, "stamps", false, "have the kernel stamp replies, to tell the time in our own queue apart")
	l.StringVar(&f.backend, "backend", e.getenv("DNSQ_BACKEND"), "`name` of the backend; the best here by default")
	l.StringVar(&f.poller, "poller", e.getenv("DNSQ_POLLER"), "`name` of the poller; the best here by default")
}

func (f *loadFlags) addOutput(c *cobra.Command) {
	l := c.Flags()
	l.VarP(&f.every, "interval", "S", "print the rate each so many `seconds`")
	l.BoolVar(&f.quiet, "quiet", false, "no live lines on a terminal")
	l.StringVar(&f.json, "json", "", "write the result to `file`")
	l.StringVar(&f.metrics, "dns-metrics", "", "write it in DNS-OARC's dns-metrics shape to `file`")
	l.StringVar(&f.csv, "csv", "", "write a line a second to `file`")
	l.StringVar(&f.hlog, "hlog", "", "write an HdrHistogram log of response times to `file`")
	l.StringVar(&f.html, "html", "", "write a page with charts to `file`")
	l.StringVar(&f.prom, "prom", "", "serve Prometheus metrics on this `address` during the run")
	l.StringVar(&f.profile, "profile", "", "write a CPU profile of the run to `file`")
	l.StringVar(&f.failOn, "fail-on", "", "exit with 3 unless the result keeps to these `bounds`, as for --slo")
	l.BoolVar(&f.calibrate, "calibrate", false, "find out first what this machine can do at all, and mark a result that is near it")
	l.BoolVar(&f.findMax, "find-max", false, "look for the highest rate at which --slo holds, in runs of -l each")
	l.StringVar(&f.slo, "slo", "loss<0.1%", "`bounds` for --find-max: loss, an rcode's name, p50 … p99.99, mean, max")
	l.StringVar(&f.ab, "ab", "", "compare with this `server`: runs of -l each in alternation")
	l.IntVar(&f.runs, "runs", 10, "of each server with --ab")
	l.Float64Var(&f.within, "within", 5, "`percent` that count as the same with --ab")
}
