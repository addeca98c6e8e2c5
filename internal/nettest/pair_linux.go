package nettest

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/dnsq/dnsq/internal/require"
)

// The pair: the caller's end and the other one.
const (
	NearDevice, FarDevice   = "v0", "v1"
	NearAddress, FarAddress = "192.0.2.1", "192.0.2.2"
)

// Far is the other namespace, on a thread that does what it is told.
type Far struct {
	path string
	work chan func()
	done chan struct{}
}

// Pair puts the calling goroutine, and what it does from now on but not what others do for it, into a namespace of its own, connected to another by
// a veth pair. With NAPI the two devices receive by it, which veth does only where GRO is on. The test is skipped where that cannot be had.
// The goroutine stays locked to its thread, with which the namespace ends.
func Pair(t *testing.T, napi bool) *Far {
	t.Helper()
	f := newFar(t)
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		require.Skip(t, "no network namespace: %v", err)
	}
	// With several queues a flow would meet any of them, and each has a NAPI id of its own.
	near := []string{
		"ip link add v0 numtxqueues 1 numrxqueues 1 type veth peer name v1 numtxqueues 1 numrxqueues 1", "ip link set v1 netns " + f.path,
		"ip link set lo up", "ip addr add 192.0.2.1/24 dev v0", "ip link set v0 up",
	}
	far := []string{"ip addr add 192.0.2.2/24 dev v1", "ip link set v1 up"}
	if napi {
		near = append(near, "ethtool -K v0 gro on rx-udp-gro-forwarding on tso off")
		far = append(far, "ethtool -K v1 gro on rx-udp-gro-forwarding on tso off")
	}
	err := run(near)
	if err == nil {
		f.Do(func() { err = run(far) })
	}
	if err != nil {
		require.Skip(t, "no pair of devices: %v", err)
	}
	return f
}

func newFar(t *testing.T) *Far {
	t.Helper()
	f := &Far{work: make(chan func()), done: make(chan struct{})}
	ended := make(chan struct{})
	var err error
	go func() {
		defer close(ended)
		runtime.LockOSThread() // the thread, and its namespace, end with the goroutine
		err = unix.Unshare(unix.CLONE_NEWNET)
		f.path = fmt.Sprintf("/proc/%d/task/%d/ns/net", unix.Getpid(), unix.Gettid())
		f.done <- struct{}{}
		for w := range f.work {
			w()
			f.done <- struct{}{}
		}
	}()
	<-f.done
	t.Cleanup(func() {
		close(f.work)
		<-ended
	})
	if err != nil {
		require.Skip(t, "no network namespace: %v", err)
	}
	return f
}

// Do calls what in the far namespace: the sockets that it opens stay there. It must not end the test.
func (f *Far) Do(what func()) {
	f.work <- what
	<-f.done
}

// run runs commands in the namespace of the caller's thread.
func run(commands []string) error {
	for _, line := range commands {
		words := strings.Fields(line)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", line, err, out)
		}
	}
	return nil
}
