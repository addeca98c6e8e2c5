package netpair

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// Far is the other namespace, on a thread that does what it is told.
type Far struct {
	path  string
	work  chan func()
	done  chan struct{}
	ended chan struct{}
}

// Open puts the calling goroutine, and what it does from now on but not what others do for it, into a namespace of its own, connected to another by
// a veth pair. With napi the two devices receive by it, which veth does only where GRO is on. The goroutine stays locked to its thread, with which the
// namespace ends, after an error too.
func Open(napi bool) (*Far, error) {
	f, err := openFar()
	if err != nil {
		return nil, fmt.Errorf("no network namespace: %w", err)
	}
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		f.Close()
		return nil, fmt.Errorf("no network namespace: %w", os.NewSyscallError("unshare", err))
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
	if err = run(near); err == nil {
		f.Do(func() { err = run(far) })
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("no pair of devices: %w", err)
	}
	return f, nil
}

func openFar() (f *Far, err error) {
	f = &Far{work: make(chan func()), done: make(chan struct{}), ended: make(chan struct{})}
	go func() {
		defer close(f.ended)
		runtime.LockOSThread() // the thread, and its namespace, end with the goroutine
		err = os.NewSyscallError("unshare", unix.Unshare(unix.CLONE_NEWNET))
		f.path = fmt.Sprintf("/proc/%d/task/%d/ns/net", unix.Getpid(), unix.Gettid())
		f.done <- struct{}{}
		for w := range f.work {
			w()
			f.done <- struct{}{}
		}
	}()
	<-f.done
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Do calls what in the far namespace: the sockets that it opens and the processes that it starts stay there.
func (f *Far) Do(what func()) {
	f.work <- what
	<-f.done
}

// Close ends the far thread.
func (f *Far) Close() {
	close(f.work)
	<-f.ended
}

// run runs commands in the namespace of the caller's thread.
func run(commands []string) error {
	for _, line := range commands {
		words := strings.Fields(line)
		if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", line, err, strings.TrimSpace(string(out)))
		}
	}
	return nil
}
