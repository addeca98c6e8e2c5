package realtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Counts are the queries that a server counted since it started, those of Start among them.
type Counts struct {
	UDP, TCP uint64            // that came
	Types    map[string]uint64 // that came, over both
	Rcodes   map[string]uint64 // that were answered, over both
}

// Sub is what was counted after before.
func (c Counts) Sub(before Counts) Counts {
	return Counts{c.UDP - before.UDP, c.TCP - before.TCP, less(c.Types, before.Types), less(c.Rcodes, before.Rcodes)}
}

func less(now, before map[string]uint64) map[string]uint64 {
	rest := make(map[string]uint64)
	for name, n := range now {
		if n -= before[name]; n > 0 {
			rest[name] = n
		}
	}
	return rest
}

// Counts asks the server what it has counted, by its own control program.
func (s *Server) Counts(tb testing.TB) Counts {
	tb.Helper()
	cmd := exec.Command(Find(tb, s.Control[0], s.Package), s.Control[1:]...)
	cmd.Dir = s.dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("%s: %v: %s", cmd, err, text)
	}
	c := Counts{Types: map[string]uint64{}, Rcodes: map[string]uint64{}}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), "=")
		if n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 64); err == nil {
			c.take(strings.TrimSpace(name), n)
		}
	}
	if s.Caching {
		c.UDP -= c.TCP // it counts all of them, and those over TCP
	}
	return c
}

// take notes one line of Knot's (mod-stats), NSD's (nsd-control(8)) or Unbound's (unbound-control(8)).
func (c *Counts) take(name string, n uint64) {
	switch name {
	case "mod-stats.request-protocol[udp4]", "num.udp", "total.num.queries":
		c.UDP = n
	case "mod-stats.request-protocol[tcp4]", "num.tcp", "num.query.tcp":
		c.TCP = n
	}
	for _, prefix := range []string{"mod-stats.query-type[", "num.type.", "num.query.type."} {
		if kind, ok := strings.CutPrefix(name, prefix); ok {
			c.Types[strings.TrimSuffix(kind, "]")] = n
		}
	}
	for _, prefix := range []string{"mod-stats.response-code[", "num.rcode.", "num.answer.rcode."} {
		if code, ok := strings.CutPrefix(name, prefix); ok && code != "nodata" { // those are among NOERROR
			c.Rcodes[strings.TrimSuffix(code, "]")] = n
		}
	}
}

// Drops is how many datagrams the kernel threw away because the server's receive queue was full: the last column of /proc/net/udp. The kernel writes
// that file piece by piece, and while others open and close sockets a line may be left out or come twice: two readings have to agree.
func (s *Server) Drops(tb testing.TB) uint64 {
	tb.Helper()
	const tries = 50
	last := socketDrops{}
	for range tries {
		now := s.readDrops(tb)
		if now.sockets > 0 && now == last {
			return now.drops
		}
		last = now
		time.Sleep(2 * time.Millisecond)
	}
	tb.Fatalf("/proc/net/udp: no two of %d readings agree on the sockets at %v, the last has %d", tries, s.Addr, last.sockets)
	return 0
}

// socketDrops is what one reading has of an address.
type socketDrops struct {
	sockets int
	drops   uint64
}

func (s *Server) readDrops(tb testing.TB) (all socketDrops) {
	tb.Helper()
	text, err := os.ReadFile("/proc/net/udp")
	if err != nil {
		tb.Fatal(err)
	}
	ip := s.Addr.Addr().As4()
	local := fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(ip[:]), s.Addr.Port())
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 13 || f[1] != local {
			continue
		}
		drops, err := strconv.ParseUint(f[12], 10, 64)
		if err != nil {
			tb.Fatalf("/proc/net/udp: %q: %v", line, err)
		}
		all.sockets++
		all.drops += drops
	}
	return all
}
