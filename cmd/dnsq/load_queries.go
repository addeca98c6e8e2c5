package main

import (
	"fmt"
	"net/netip"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/load/queries"
)

func (f *loadFlags) addQueries(c *cobra.Command) {
	l := c.Flags()
	l.StringArrayVarP(&f.data, "data", "d", nil, "`file` of queries: names and types, updates (-u), messages (-B), a capture; - is the standard input")
	l.StringArrayVarP(&f.generators, "generate", "g", nil, "`generator` of queries, or what is to be done with those of -d:\n"+queries.GeneratorHelp)
	l.BoolVarP(&f.update, "update", "u", false, "the file has dynamic updates")
	l.BoolVarP(&f.stream, "stream", "B", false, "the file has messages behind their lengths, as they go over TCP")
	l.BoolVar(&f.skipBad, "skip-bad", false, "leave out lines that are no good, and count them")
	l.IntVarP(&f.rounds, "rounds", "n", 0, "go through the queries so many `times` at most")
	l.StringVar(&f.typ, "type", "A", "`type` of queries that have none")
	l.StringVarP(&f.edns, "edns", "e", "", "an OPT record that offers so many `octets`")
	l.Lookup("edns").NoOptDefVal = "1232"
	l.BoolVarP(&f.dnssec, "dnssec", "D", false, "ask for DNSSEC records (DO)")
	l.BoolVar(&f.cd, "cd", false, "ask for no validation (CD)")
	l.BoolVar(&f.nsid, "nsid", false, "ask for the server's name")
	l.StringVar(&f.ecs, "ecs", "", "client subnet, a `prefix`")
	l.StringArrayVarP(&f.options, "option", "E", nil, "EDNS option, `code:hex`")
	l.BoolVar(&f.mixedCase, "0x20", false, "letters of names in random case")
	l.Float64Var(&f.hitRate, "hit-rate", 100, "`percent` of queries that stay as they are; the others get a label that no cache has seen")
}

// defaultQueries are asked where nothing is said: names that the responder inside knows, in any case one that all servers have an answer to.
const defaultQueries = "numbers:example.com,10000"

// set is where the queries come from.
func (f *loadFlags) set(e *environment, rounds int) (queries.Set, error) {
	o, err := f.readOptions(rounds)
	if err != nil {
		return nil, err
	}
	var set queries.Set
	if len(f.data) > 0 {
		if set, err = f.files(e, o); err != nil {
			return nil, err
		}
	}
	generators := f.generators
	if set == nil && len(generators) == 0 {
		generators = []string{defaultQueries}
	}
	for _, g := range generators {
		if set, err = queries.Generate(g, set, o); err != nil {
			return nil, usageError{err}
		}
	}
	return f.changed(set)
}

// changed is set with what --hit-rate and --0x20 do to it.
func (f *loadFlags) changed(set queries.Set) (queries.Set, error) {
	if f.hitRate != 100 {
		hit, err := queries.HitRate(set, f.hitRate)
		if err != nil {
			return nil, usagef("--hit-rate: %v", err)
		}
		set = hit
	}
	if f.mixedCase {
		set = queries.Case(set)
	}
	return set, nil
}

// files reads those of -d; several are mixed by their lengths.
func (f *loadFlags) files(e *environment, o queries.Options) (queries.Set, error) {
	var parts []queries.Weighted
	for _, name := range f.data {
		list, err := f.file(e, name, o)
		if err != nil {
			return nil, usageError{err}
		}
		if skipped := list.Skipped(); len(skipped) > 0 {
			fmt.Fprintf(e.stderr, "dnsq: %s: left out: %v\n", name, skipped)
		}
		parts = append(parts, queries.Weighted{Set: list, Weight: list.Len()})
	}
	if len(parts) == 1 {
		return parts[0].Set, nil
	}
	return queries.Mix(parts...)
}

func (f *loadFlags) file(e *environment, name string, o queries.Options) (*queries.List, error) {
	if name != "-" {
		return queries.Open(name, o)
	}
	return queries.Read(e.stdin, "the standard input", o)
}

func (f *loadFlags) readOptions(rounds int) (o queries.Options, err error) {
	o = queries.Options{Rounds: rounds, SkipBad: f.skipBad, Ask: queries.Ask{DO: f.dnssec, CD: f.cd, NSID: f.nsid}}
	switch {
	case f.update && f.stream:
		return o, usagef("-u and -B exclude each other")
	case f.update:
		o.Format = queries.Update
	case f.stream:
		o.Format = queries.Stream
	}
	if o.Type, err = queries.ParseType(f.typ); err != nil {
		return o, usagef("--type: %v", err)
	}
	return o, f.ask(&o.Ask)
}

func (f *loadFlags) ask(a *queries.Ask) error {
	if f.edns != "" {
		size, err := strconv.ParseUint(f.edns, 10, 16)
		if err != nil || size < 512 {
			return usagef("--edns=%s: write a number of octets from 512 to 65535, behind a =", f.edns)
		}
		a.EDNS, a.Size = true, uint16(size)
	}
	if f.ecs != "" {
		p, err := netip.ParsePrefix(f.ecs)
		if err != nil {
			return usagef("--ecs %s: write a prefix such as 192.0.2.0/24", f.ecs)
		}
		a.ECS = p
	}
	for _, text := range f.options {
		o, err := queries.ParseOption(text)
		if err != nil {
			return usagef("--option %s: %v", text, err)
		}
		a.Extra = append(a.Extra, o)
	}
	return nil
}
