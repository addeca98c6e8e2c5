package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Processors, so that neither side takes the other's time.
const (
	clientProcessor    = 0
	responderProcessor = 1
)

// longestRun bounds one run of a client.
const longestRun = 2 * time.Minute

// result is what one run of a client printed, by key.
type result map[string]float64

// pinned is args on one processor, or as they are where there is no taskset.
func pinned(processor int, args []string) []string {
	path, err := exec.LookPath("taskset")
	if err != nil {
		return args
	}
	return append([]string{path, "-c", strconv.Itoa(processor)}, args...)
}

// runClient runs a client of n queries to its end.
func runClient(args []string, n int) (result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), longestRun)
	defer cancel()
	args = pinned(clientProcessor, args)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	r := read(string(out))
	if _, ok := r["cpu_ns"]; !ok {
		r["cpu_ns"] = float64(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()) / float64(n)
	}
	return r, nil
}

// read picks the pairs whose values are numbers.
func read(text string) result {
	r := result{}
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			r[key] = x
		}
	}
	return r
}

// responder is the command line of one of a kind: plain, gso, or held, which holds replies back so that a client that has fewer
// than so many outstanding comes to a stop.
func responder(t *tools, kind string, port, outstanding int) []string {
	switch {
	case !t.has["reflect"]:
		return []string{t.path("dnsq"), "reflect", "--listen", "127.0.0.1:" + strconv.Itoa(port)}
	case kind == "held":
		free := max(min(outstanding/2, 1024), 64)
		return []string{t.path("reflect"), strconv.Itoa(port), "gso", strconv.Itoa(max(outstanding-free, 0))}
	}
	return []string{t.path("reflect"), strconv.Itoa(port), kind}
}

// startResponder starts a responder of a kind and returns its port.
func startResponder(t *tools, kind string, outstanding int) (port int, stop func(), err error) {
	if port, err = freePort(); err != nil {
		return 0, nil, err
	}
	args := pinned(responderProcessor, responder(t, kind, port, outstanding))
	cmd := exec.Command(args[0], args[1:]...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, nil, err
	}
	if err := cmd.Start(); err != nil {
		return 0, nil, err
	}
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		stop()
		return 0, nil, fmt.Errorf("the %s responder does not start", kind)
	}
	return port, stop, nil
}

// freePort returns a UDP port of loopback that was free a moment ago.
func freePort() (int, error) {
	c, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer c.Close()
	return c.LocalAddr().(*net.UDPAddr).Port, nil
}
