package require

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// settle is how long descriptors may take to go after the last test: a Close
// that another goroutine finishes, not a leak.
const settle = 2 * time.Second

// NoLeaks is the body of a TestMain: it runs the tests, then fails if one of
// them left a goroutine running or a descriptor open. It does not return.
// Descriptors are compared where the system lists them (/proc/self/fd);
// elsewhere only goroutines are.
func NoLeaks(m *testing.M) { os.Exit(noLeaks(m.Run, os.Stderr)) }

// noLeaks returns the exit code of run, or 1 if run left something behind.
func noLeaks(run func() int, log io.Writer) int {
	startNetpoll()
	before := descriptors()
	code := run()
	if code != 0 {
		return code // a failed test may well leave things open: one report is enough
	}
	// js: the goroutine that waits for events of the host is the runtime's.
	if err := goleak.Find(goleak.IgnoreAnyFunction("runtime.handleEvent")); err != nil {
		fmt.Fprintf(log, "goroutines left after the tests: %v\n", err)
		code = 1
	}
	if left := leftover(before); len(left) > 0 {
		fmt.Fprintf(log, "descriptors left after the tests:\n\t%s\n", strings.Join(left, "\n\t"))
		code = 1
	}
	return code
}

// leftover returns the descriptors that are open now and were not before, after
// giving them time to be closed.
func leftover(before map[string]string) []string {
	var left []string
	for end := time.Now().Add(settle); ; time.Sleep(10 * time.Millisecond) {
		left = left[:0]
		for fd, what := range descriptors() {
			if before[fd] != what {
				left = append(left, "fd "+fd+" "+what)
			}
		}
		if len(left) == 0 || time.Now().After(end) {
			sort.Strings(left)
			return left
		}
	}
}

// startNetpoll makes the runtime open its own poller now, which it otherwise
// does at the first use of a network and keeps for ever.
func startNetpoll() {
	if r, w, err := os.Pipe(); err == nil {
		r.Close()
		w.Close()
	}
}

// descriptors maps each open descriptor to what it refers to; nil where the
// system has no such list.
func descriptors() map[string]string {
	const dir = "/proc/self/fd"
	names, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	open := make(map[string]string, len(names))
	for _, name := range names {
		what, err := os.Readlink(filepath.Join(dir, name.Name()))
		if err != nil {
			continue // the directory's own descriptor is gone by now
		}
		open[name.Name()] = what
	}
	return open
}
