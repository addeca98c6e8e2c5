package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/dnsq/dnsq/resolver"
)

// ask does what a command line without subcommand says.
func ask(e *environment, args []string) int {
	r := newRequest(e)
	if err := r.parse(args); err != nil {
		return e.exit(err)
	}
	switch r.show {
	case "help":
		fmt.Fprint(e.stdout, usage(e))
		return exitOK
	case "version":
		fmt.Fprintln(e.stdout, "dnsq", version())
		return exitOK
	}
	s := &session{environment: e}
	defer s.close()
	if r.batch != "" {
		return s.batch(&r)
	}
	return s.lookup(&r)
}

// lookup asks one question, prints what came and returns the exit code.
func (s *session) lookup(r *request) int {
	if err := r.finish(); err != nil {
		return s.exit(err)
	}
	for _, w := range r.warnings {
		fmt.Fprintf(s.stderr, ";; Warning, %s\n", w)
	}
	servers, err := s.servers(r)
	if err != nil {
		return s.exit(err)
	}
	res, err := s.resolverFor(r)
	if err != nil {
		return s.exit(err)
	}
	answer, err := res.ExchangeQuery(context.Background(), resolver.Query{
		Question: resolver.Question{Name: r.name, Type: r.typ, Class: r.class},
		Flags:    r.flags, UDPSize: r.udpSize, Servers: servers,
	})
	if r.stats {
		defer func() { fmt.Fprint(s.stderr, statsText(res.Backend(), res.Poller(), res.Stats())) }()
	}
	text, code, err := r.outcome(answer, err)
	if _, werr := s.stdout.Write(text); err == nil {
		err = werr
	}
	if err != nil {
		return s.exit(err)
	}
	return code
}

// outcome renders what became of the query.
func (r *request) outcome(answer *resolver.Answer, failure error) (text []byte, code int, err error) {
	if failure == nil {
		text, err = r.answerText(answer, time.Now())
		return text, exitOK, err
	}
	var e *resolver.Error
	if !errors.As(failure, &e) {
		return nil, exitUsage, usagef("%v", failure) // what is wrong with the question
	}
	return r.failureText(e), exitNoReply, nil
}
