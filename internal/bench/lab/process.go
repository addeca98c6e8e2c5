package lab

import (
	"bufio"
	"fmt"
	"io"
	"net/netip"
	"os/exec"
	"strings"
	"time"
)

// A Process is this program once more, doing something that ends with its standard input.
type Process struct {
	Said string // its first line, by which it tells that it is ready

	cmd   *exec.Cmd
	input io.Closer // its end ends the process, also when this one is killed
	loose error     // why it is not pinned, or nil
}

// Start runs this program with args on the responder's processor, in the network namespace of the calling goroutine's thread, and waits for its
// first line. The caller stops it.
func (l *Lab) Start(args ...string) (*Process, error) {
	p, err := start(l.program, l.places.responder, args...)
	if err == nil && p.loose != nil {
		l.Note("the other process is not pinned to a processor: %v", p.loose)
	}
	return p, err
}

// start pins: a process inherits the processors of the thread that makes it.
func start(program Program, processor int, args ...string) (*Process, error) {
	cmd, err := program(args...)
	if err != nil {
		return nil, err
	}
	p := &Process{cmd: cmd}
	if p.input, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	release := func() {}
	if processor >= 0 {
		if release, p.loose = pin(processor); p.loose != nil {
			release = func() {}
		}
	}
	err = cmd.Start()
	release()
	if err != nil {
		return nil, err
	}
	if p.Said, err = bufio.NewReader(out).ReadString('\n'); err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.Stop()
		return nil, fmt.Errorf("it did not say where it answers: %w", err)
	}
	return p, nil
}

// Addr is the address that the process said it answers on.
func (p *Process) Addr() (netip.AddrPort, error) {
	for word := range strings.FieldsSeq(p.Said) {
		if addr, err := netip.ParseAddrPort(word); err == nil {
			return addr, nil
		}
	}
	return netip.AddrPort{}, fmt.Errorf("it said %q and not where it answers", p.Said)
}

// patience is how long a process may take to end.
const patience = 5 * time.Second

// Stop ends the process.
func (p *Process) Stop() error {
	_ = p.input.Close()
	kill := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	return p.cmd.Wait()
}
