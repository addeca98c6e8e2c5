package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dnsq/dnsq/internal/realtest"
)

// run runs one side once, against a server of its own.
func (f *field) run(s side, seconds float64) (result, error) {
	server, err := f.start(s.server)
	if err != nil {
		return nil, err
	}
	client := f.runDnsperf
	if s.client == "dnsq" {
		client = f.runDnsq
	}
	r, err := client(s, server.port, seconds)
	said := server.stop()
	if err == nil && s.server == "stamps" {
		err = addPacing(r, said, pacingRate, seconds)
	}
	return r, err
}

// flags are those of both clients.
func (f *field) flags(s side, port int, seconds float64) []string {
	return append([]string{"-s", "127.0.0.1", "-p", strconv.Itoa(port), "-d", f.names, "-l", strconv.FormatFloat(seconds, 'f', -1, 64)},
		strings.Fields(s.flags)...)
}

// start starts a server.
func (f *field) start(name string) (*server, error) {
	switch name {
	case "knot":
		return f.startKnot()
	case "dnsq":
		return startServer(func(port int) []string { return dnsqReflect(&f.t, port, "--pattern") })
	case "stalled":
		stall := fmt.Sprintf("%v@%v", stallLength, f.o.stall)
		return startServer(func(port int) []string { return dnsqReflect(&f.t, port, "--pattern", "--stall", stall) })
	}
	return startResponder(&f.t, name, 0)
}

// startKnot starts Knot with one worker a transport on the responders' processor.
func (f *field) startKnot() (*server, error) {
	software := realtest.List()[0]
	args := pinned(responderProcessor, append([]string{f.knot}, software.Args...))
	software.Args = args[1:]
	s, err := realtest.Run(software, args[0], []realtest.Zone{f.zone}, nil)
	if err != nil {
		return nil, err
	}
	return &server{int(s.Addr.Port()), func() string { s.Stop(); return "" }}, nil
}

// addCPU adds what the client's process took of the processor.
func (r result) addCPU(cpu time.Duration) error {
	n := r["completed"]
	if n == 0 {
		return fmt.Errorf("no query was answered")
	}
	r["cpu_us"] = float64(cpu.Nanoseconds()) / 1e3 / n
	r["per_cpu_s"] = n / cpu.Seconds()
	return nil
}
