//go:build unix

package resolver_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/resolver"
)

// fewVar makes a test run its body, in a process whose limit may be lowered.
const fewVar = "DNSQ_TEST_FEW_DESCRIPTORS"

// TestFewDescriptors: a lookup without descriptors is a resource error or succeeds later; never is a name that exists missing (golang/go#18588).
func TestFewDescriptors(t *testing.T) {
	if os.Getenv(fewVar) != "" {
		fewDescriptors(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^TestFewDescriptors$", "-test.v", "-test.timeout=60s")
	cmd.Env = append(os.Environ(), fewVar+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// fewDescriptors runs alone in its process.
func fewDescriptors(t *testing.T) {
	onLoopback(t, hasty(func(t *testing.T, w *world) {
		s := w.server(t, dnstest.A(rightAddr, rightAddr6))
		lower(t)
		shared := w.resolver(t, func(c *resolver.Config) { c.Shards, c.Ports.Loopback = 1, 50 }, s.Addr())
		lookUpMany(t, shared, 50)
		if n := shared.Stats().Sockets; n == 0 || n >= few {
			t.Errorf("%d sockets with %d descriptors", n, few)
		}
		shared.Close()

		r := w.resolver(t, oneShard, s.Addr())
		release := useUp()
		if _, err := lookUp(context.Background(), r, "ip"); !errors.Is(err, backend.ErrNoFiles) || missing(err) {
			t.Errorf("without a descriptor: %v, want %v", err, backend.ErrNoFiles)
		}
		time.AfterFunc(w.config.Timeout/3, release)
		if got, err := lookUp(context.Background(), r, "ip"); got != rightAddr+" "+rightAddr6 {
			t.Errorf("with descriptors again: %q, %v; want both addresses", got, err)
		}
	}))
}

// few is the most descriptors.
const few = 20

// lower lowers the limit of descriptors for the rest of the test.
func lower(t *testing.T) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	less := old
	less.Cur = few
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &less); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old) })
}

// useUp opens files until no descriptor is left, and returns what closes them.
func useUp() (release func()) {
	var files []*os.File
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			break
		}
		files = append(files, f)
	}
	return func() {
		for _, f := range files {
			f.Close()
		}
	}
}

// lookUpMany looks a name up from many goroutines; each must find it, if later.
func lookUpMany(t *testing.T, r *resolver.Resolver, n int) {
	t.Helper()
	errs := make(chan error, n)
	for range n {
		go func() {
			_, err := lookUp(context.Background(), r, "ip")
			errs <- err
		}()
	}
	for range n {
		if err := <-errs; err != nil {
			t.Errorf("lookup: %v", err)
		}
	}
}

// missing reports whether err says that there is no such name.
func missing(err error) bool {
	var d *net.DNSError
	return errors.As(err, &d) && d.IsNotFound
}
