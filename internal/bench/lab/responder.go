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

// responder is a process of this program that answers queries.
type responder struct {
	addr  netip.AddrPort
	cmd   *exec.Cmd
	input io.Closer // its end ends the process, also when this one is killed
	loose error     // why it is not pinned, or nil
}

// startResponder starts "reflect" on a free port of loopback. A process inherits the processors of the thread that makes it.
func startResponder(program Program, processor int) (*responder, error) {
	cmd, err := program("reflect", "--listen", "127.0.0.1:0", "--until-eof")
	if err != nil {
		return nil, err
	}
	r := &responder{cmd: cmd}
	if r.input, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	release := func() {}
	if processor >= 0 {
		if release, r.loose = pin(processor); r.loose != nil {
			release = func() {}
		}
	}
	err = cmd.Start()
	release()
	if err != nil {
		return nil, err
	}
	if err := r.listen(out); err != nil {
		_ = cmd.Process.Kill()
		_ = r.stop()
		return nil, err
	}
	return r, nil
}

// listen reads the address that the responder answers on.
func (r *responder) listen(out io.Reader) error {
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return fmt.Errorf("it did not say where it answers: %w", err)
	}
	for word := range strings.FieldsSeq(line) {
		if addr, err := netip.ParseAddrPort(word); err == nil {
			r.addr = addr
			return nil
		}
	}
	return fmt.Errorf("it said %q and not where it answers", line)
}

// patience is how long a responder may take to end.
const patience = 5 * time.Second

func (r *responder) stop() error {
	_ = r.input.Close()
	kill := time.AfterFunc(patience, func() { _ = r.cmd.Process.Kill() })
	defer kill.Stop()
	return r.cmd.Wait()
}
