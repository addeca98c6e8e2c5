package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/resolver"
)

// Bounds of what a bench may be asked for.
const (
	maxBenchQueries     = 100_000_000
	maxBenchOutstanding = 1 << 20
	maxBenchSockets     = 1024
	maxBenchShards      = 16
)

// benchEngine is what "bench engine" is asked to measure.
type benchEngine struct {
	server          string
	queries         int
	outstanding     int
	api             string
	backend, poller string
	shards          int
	sockets         int
	limit, timeout  time.Duration
	json, profile   string // files
}

// benchEngineCommand measures what a query costs this library's user.
func benchEngineCommand(e *environment) *cobra.Command {
	b := &benchEngine{}
	c := &cobra.Command{
		Use:   "engine",
		Short: "what a query costs: CPU, system calls, allocations, time, memory",
		Long:  benchEngineHelp,
		Args:  noWords,
		RunE:  func(*cobra.Command, []string) error { return b.run(e) },
	}
	f := c.Flags()
	f.StringVarP(&b.server, "server", "s", "", "`server` to ask, as after @ without a subcommand; @self is the one inside")
	f.IntVarP(&b.queries, "queries", "n", 100_000, "`number` of queries")
	f.IntVar(&b.outstanding, "outstanding", 1000, "queries in flight at a `time`")
	f.StringVar(&b.api, "api", "engine", "the way in: "+strings.Join(apiNames(), ", "))
	f.StringVar(&b.backend, "backend", e.getenv("DNSQ_BACKEND"), "`name` of the backend; the best here by default")
	f.StringVar(&b.poller, "poller", e.getenv("DNSQ_POLLER"), "`name` of the poller; the best here by default")
	f.IntVar(&b.shards, "shards", 1, "engines of the resolver, each on a goroutine")
	f.IntVar(&b.sockets, "sockets", 0, "sockets to the server; 0: as the library does by itself")
	f.DurationVar(&b.limit, "time", time.Minute, "begin no query after this `time`")
	f.DurationVar(&b.timeout, "timeout", 2*time.Second, "`length` of a try")
	f.StringVar(&b.json, "json", "", "write the figures to `file` too")
	f.StringVar(&b.profile, "profile", "", "write a CPU profile of the measured part to `file`")
	return c
}

const benchEngineHelp = `Ask for h<number>.example.com, type A, with a number of queries in flight, and print on one line what a query cost.

The ways in: engine drives an Engine on one thread, submit calls Resolver.Submit with a callback, exchange calls Resolver.Exchange and
lookup calls Resolver.LookupNetIP from as many goroutines as there are queries in flight.

More queries than -n go ahead and follow, so that as many are in flight all the while; they are asked too and do not count. A query, on average: cpu_ns, user_ns and sys_ns (of this whole process,
so not with @self), syscalls (of backend and poller), wakes, empty_receives, allocs, clock_reads (of the loop) and heap_bytes (all that is
live with every query in flight, over their number). In all: timed_waits, lost (queries without a reply) and timeouts (tries without one). p50_us and so on are from send to reply by the loop's clock for engine and submit, of the whole call for the others. Names
come again after a million.`

// check refuses what makes no sense.
func (b *benchEngine) check() error {
	for _, f := range []struct {
		flag               string
		value, least, most int
	}{
		{"-n", b.queries, 1, maxBenchQueries},
		{"--outstanding", b.outstanding, 1, maxBenchOutstanding},
		{"--shards", b.shards, 1, maxBenchShards},
		{"--sockets", b.sockets, 0, maxBenchSockets},
	} {
		if f.value < f.least || f.value > f.most {
			return usagef("%s %d: write a number from %d to %d", f.flag, f.value, f.least, f.most)
		}
	}
	switch {
	case b.server == "":
		return usagef("bench engine: write -s server, or -s @self for the one inside")
	case b.limit <= 0 || b.timeout <= 0:
		return usagef("--time %v, --timeout %v: write lengths of time such as 10s", b.limit, b.timeout)
	case b.api == "engine" && b.shards > 1:
		return usagef("--shards %d: an engine is one shard; with --api submit, exchange or lookup there may be more", b.shards)
	}
	return nil
}

func (b *benchEngine) run(e *environment) error {
	if err := b.check(); err != nil {
		return err
	}
	a, err := apiNamed(b.api)
	if err != nil {
		return err
	}
	s := &session{environment: e}
	defer s.close()
	cfg, err := b.config(s)
	if err != nil {
		return err
	}
	m := newMeasurement(b)
	if b.profile != "" {
		if m.profile, err = os.Create(b.profile); err != nil {
			return err
		}
		defer m.profile.Close()
	}
	c, err := a.start(cfg, b.outstanding)
	if err != nil {
		return err
	}
	defer c.close()
	if err := m.run(c, b.limit); err != nil {
		return err
	}
	if m.cut {
		fmt.Fprintf(e.stderr, "dnsq: --time %v was over after %d of %d queries\n", b.limit, m.used().ended, b.queries)
	}
	list := m.figures(b, cfg.Backend.Name, cfg.Poller.Name)
	if _, err := fmt.Fprintln(e.stdout, list.text()); err != nil {
		return err
	}
	if b.json != "" {
		return os.WriteFile(b.json, list.json(), 0o666)
	}
	return nil
}

// config is that of the engine or resolver to be measured.
func (b *benchEngine) config(s *session) (cfg resolver.Config, err error) {
	server, err := s.server(strings.TrimPrefix(b.server, "@"), resolver.DefaultPort)
	if err != nil {
		return cfg, err
	}
	cfg = resolver.Config{Servers: []resolver.Server{server}, Shards: b.shards, Timeout: b.timeout, MaxInFlight: max(b.outstanding, 1<<16)}
	if b.sockets > 0 {
		cfg.Ports = resolver.PortPolicy{Loopback: b.sockets, Pool: b.sockets, Fresh: -1}
	}
	cfg.Backend, cfg.Poller, err = mechanismsNamed(b.backend, b.poller)
	return cfg, err
}
