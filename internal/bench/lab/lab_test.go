package lab_test

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/bench/lab"
	"github.com/dnsq/dnsq/internal/require"
)

// order is in which order a Lab with a seed runs its sides, a word for each round.
func order(t *testing.T, seed uint64, sides, rounds int) (words []string) {
	t.Helper()
	var all []byte
	err := lab.New(lab.Options{Seed: seed}, nil).Alternate(sides, rounds, func(side int) error {
		all = append(all, byte('A'+side))
		return nil
	})
	if err != nil || len(all) != sides*rounds {
		t.Fatalf("%d runs, %v", len(all), err)
	}
	for ; len(all) > 0; all = all[sides:] {
		words = append(words, string(all[:sides]))
	}
	return words
}

// Every round has each side once, in an order that the seed decides.
func TestAlternate(t *testing.T) {
	one := order(t, 1, 2, 200)
	seen := map[string]int{}
	for _, w := range one {
		seen[w]++
	}
	if len(seen) != 2 || seen["AB"] < 60 || seen["BA"] < 60 {
		t.Errorf("rounds: %v", seen)
	}
	if diff := cmp.Diff(one, order(t, 1, 2, 200)); diff != "" {
		t.Errorf("the same seed, another order:\n%s", diff)
	}
	if cmp.Equal(one, order(t, 2, 2, 200)) {
		t.Error("another seed, the same order")
	}
	n := 0
	err := lab.New(lab.Options{}, nil).Alternate(3, 5, func(int) error { n++; return net.ErrClosed })
	if n != 1 || !errors.Is(err, net.ErrClosed) {
		t.Errorf("after an error: %d runs, %v", n, err)
	}
}

func TestShare(t *testing.T) {
	l := lab.New(lab.Options{Seconds: 1.5}, nil)
	if got := fmt.Sprint(l.Share(3), l.Share(0)); got != "500ms 1.5s" {
		t.Error(got)
	}
}

func TestNote(t *testing.T) {
	l := lab.New(lab.Options{}, nil)
	for range 3 {
		l.Note("no %s here", "uring")
	}
	l.Note("one processor")
	if diff := cmp.Diff([]string{"no uring here", "one processor"}, l.Notes); diff != "" {
		t.Error(diff)
	}
}

// The responder is another process, which is started once, answers, and ends with the Lab.
func TestResponder(t *testing.T) {
	l := lab.New(lab.Options{}, program("reflect"))
	addr, err := l.Responder()
	if err != nil {
		require.Skip(t, "processes cannot be started here: %v", err)
	}
	if again, err := l.Responder(); again != addr || err != nil {
		t.Errorf("asked again: %v, %v; want %v", again, err, addr)
	}
	ask := func() error {
		c := dns.Client{Timeout: 2 * time.Second, Net: "tcp"}
		m := new(dns.Msg).SetQuestion("www.example.com.", dns.TypeA)
		_, _, err := c.Exchange(m, addr.String())
		return err
	}
	if err := ask(); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if ask() == nil {
		t.Errorf("%v answers after Close", addr)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

func TestResponderNamed(t *testing.T) {
	want := netip.MustParseAddrPort("192.0.2.1:53")
	l := lab.New(lab.Options{Server: want}, nil)
	if got, err := l.Responder(); got != want || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// What a responder does wrong is said, and no process is left.
func TestResponderFails(t *testing.T) {
	broken := errors.New("no binary")
	for want, p := range map[string]lab.Program{
		"did not say where it answers":                         program("mute"),
		`it said "no address here\n" and not where it answers`: program("babble"),
		"the responder's process: no binary":                   func(...string) (*exec.Cmd, error) { return nil, broken },
		"no such file":                                         func(...string) (*exec.Cmd, error) { return exec.Command("/nonexistent/dnsq"), nil },
	} {
		l := lab.New(lab.Options{}, p)
		if _, err := l.Responder(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}
