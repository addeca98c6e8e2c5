package lab

import (
	"os"
	"os/exec"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/dnsq/dnsq/internal/require"
)

// The client's thread is on its processor until it is released.
func TestPin(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	all, err := processors()
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	l := New(Options{}, nil)
	l.places = places{all[len(all)-1], -1, ""}
	release := l.Pin()
	if got, _ := processors(); len(got) != 1 || got[0] != all[len(all)-1] {
		t.Errorf("pinned to %v, want %v", got, all[len(all)-1])
	}
	release()
	if got, _ := processors(); len(got) != len(all) {
		t.Errorf("after release: %v, want %v", got, all)
	}
	l.places.client = 1023 // there is none
	l.Pin()()
	if len(l.Notes) != 1 {
		t.Errorf("notes: %q", l.Notes)
	}
}

// The responder's process is on its own, and this one where it was.
func TestResponderPinned(t *testing.T) {
	all, err := processors()
	if err != nil {
		t.Fatal(err)
	}
	path, err := os.Executable()
	if err != nil {
		require.Skip(t, "the test cannot find its own binary: %v", err)
	}
	want := all[len(all)-1]
	l := New(Options{}, func(args ...string) (*exec.Cmd, error) {
		cmd := exec.Command(path, args...)
		cmd.Env = append(os.Environ(), "DNSQ_LAB_AS=reflect")
		return cmd, nil
	})
	l.places.responder = want
	r, err := l.Start("reflect", "--listen", "127.0.0.1:0", "--until-eof")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Stop()
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(r.cmd.Process.Pid, &set); err != nil {
		t.Fatal(err)
	}
	if len(l.Notes) > 0 || set.Count() != 1 || !set.IsSet(want) {
		t.Errorf("%d processors, %v; want the one %d", set.Count(), l.Notes, want)
	}
	if got, _ := processors(); len(got) != len(all) {
		t.Errorf("this process: %v, want %v", got, all)
	}
}
