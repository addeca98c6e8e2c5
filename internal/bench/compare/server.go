package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

const (
	startTries = 3
	stopGrace  = 5 * time.Second // from the interrupt to the kill
)

// responder is the command line of one of a kind: plain, gso, stamps, or held, which holds replies back so that a client that has fewer
// than so many outstanding comes to a stop.
func responder(t *tools, kind string, port, outstanding int) []string {
	switch {
	case !t.has["reflect"]:
		return dnsqReflect(t, port)
	case kind == "held":
		free := max(min(outstanding/2, 1024), 64)
		return []string{t.path("reflect"), strconv.Itoa(port), "gso", strconv.Itoa(max(outstanding-free, 0))}
	}
	return []string{t.path("reflect"), strconv.Itoa(port), kind}
}

// dnsqReflect is the command line of dnsq's own responder. The port is known to be free over UDP alone.
func dnsqReflect(t *tools, port int, flags ...string) []string {
	return append([]string{t.path("dnsq"), "reflect", "--no-tcp", "--listen", "127.0.0.1:" + strconv.Itoa(port)}, flags...)
}

// server is a responder that runs.
type server struct {
	port int
	stop func() (said string) // ends it; what it printed after its first line
}

// startResponder starts a responder of a kind.
func startResponder(t *tools, kind string, outstanding int) (*server, error) {
	s, err := startServer(func(port int) []string { return responder(t, kind, port, outstanding) })
	if err != nil {
		return nil, fmt.Errorf("the %s responder does not start: %w", kind, err)
	}
	return s, nil
}

// startServer starts a program on a free port, on another where that is taken meanwhile.
func startServer(command func(port int) []string) (s *server, err error) {
	for range startTries {
		var port int
		if port, err = freePort(); err != nil {
			return nil, err
		}
		if s, err = startOn(port, command(port)); err == nil {
			return s, nil
		}
	}
	return nil, err
}

// startOn starts a program that is told to use a port, and waits for its first line.
func startOn(port int, command []string) (*server, error) {
	args := pinned(responderProcessor, command)
	cmd := exec.Command(args[0], args[1:]...)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	out := bufio.NewReader(pipe)
	s := &server{port, func() string { return interrupt(cmd, out) }}
	if _, err := out.ReadString('\n'); err != nil {
		s.stop()
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, firstLine(complaints.Bytes()))
	}
	return s, nil
}

// interrupt ends a process, by force after a grace, and returns what it still had to say.
func interrupt(cmd *exec.Cmd, out io.Reader) (said string) {
	_ = cmd.Process.Signal(os.Interrupt)
	kill := time.AfterFunc(stopGrace, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	text, _ := io.ReadAll(out)
	_ = cmd.Wait()
	return string(text)
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
