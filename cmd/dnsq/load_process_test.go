package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
	"github.com/dnsq/dnsq/internal/require"
)

// A loader is "dnsq load" in a process of its own.
type loader struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
	json     string
	ended    chan error
}

// loadProcess starts it, in the network namespace of the calling thread.
func loadProcess(t *testing.T, args ...string) *loader {
	t.Helper()
	l := &loader{json: filepath.Join(t.TempDir(), "r.json"), ended: make(chan error, 1)}
	var err error
	if l.cmd, err = testProgram(append([]string{"load", "--json", l.json}, args...)...); err != nil {
		require.Skip(t, "%v", err)
	}
	l.cmd.Stdout, l.cmd.Stderr = &l.out, &l.err
	if err := l.cmd.Start(); err != nil {
		require.Skip(t, "processes cannot be started here: %v", err)
	}
	go func() { l.ended <- l.cmd.Wait() }()
	return l
}

// says is all it wrote. It must have ended.
func (l *loader) says() string { return l.out.String() + l.err.String() }

// end waits for the end, which must come within the bound, checks the accounts, and returns the exit code and the result, nil where none was written.
func (l *loader) end(t *testing.T, bound time.Duration) (code int, r *result.Result) {
	t.Helper()
	select {
	case err := <-l.ended:
		if err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
	case <-time.After(bound):
		_ = l.cmd.Process.Kill()
		<-l.ended
		t.Fatalf("it runs for more than %v:\n%s", bound, l.says())
	}
	code = l.cmd.ProcessState.ExitCode()
	r, err := result.ReadFile(l.json)
	if errors.Is(err, fs.ErrNotExist) {
		return code, nil
	}
	if err != nil {
		t.Fatalf("exit code %d, %v:\n%s", code, err, l.says())
	}
	if r.Planned != r.Sent+r.Unsent.Behind+r.Unsent.Window || r.Sent != r.Completed+r.Lost.Total()+r.Interrupted {
		t.Errorf("planned %d, unsent %+v, sent %d, completed %d, lost %+v, interrupted %d", r.Planned, r.Unsent, r.Sent, r.Completed, r.Lost, r.Interrupted)
	}
	return code, r
}
