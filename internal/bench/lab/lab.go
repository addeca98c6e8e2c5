package lab

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os/exec"
	"slices"
	"time"
)

// Options are what all measuring commands can be told.
type Options struct {
	Runs    int            // of each side of a comparison
	Seconds float64        // about what all runs take together
	Seed    uint64         // of the order of runs, and of all else that is drawn
	Server  netip.AddrPort // to ask; invalid: a responder is started
}

// A Program returns a command that runs this program again with args; its standard streams are not set.
type Program func(args ...string) (*exec.Cmd, error)

// A Lab measures for one command. One goroutine uses it.
type Lab struct {
	Options
	// Notes say what this machine cannot show, and why.
	Notes []string
	// Rand draws from Seed.
	Rand *rand.Rand

	program   Program
	places    places
	responder *responder
}

// New returns a Lab. It starts nothing.
func New(o Options, program Program) *Lab {
	return &Lab{Options: o, Rand: rand.New(rand.NewPCG(o.Seed, 0)), program: program, places: here()}
}

// Note says something that a reader of the figures has to know, once.
func (l *Lab) Note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(l.Notes, note) {
		l.Notes = append(l.Notes, note)
	}
}

// Share is the time for each of so many parts of equal length.
func (l *Lab) Share(parts int) time.Duration {
	return time.Duration(l.Seconds * float64(time.Second) / float64(max(parts, 1)))
}

// Alternate calls run for each of the sides in turn, so many times each, so that what drifts on the machine reaches all of them alike. In which order
// the sides come is drawn for each round: a machine may drift in step with a fixed one.
func (l *Lab) Alternate(sides, rounds int, run func(side int) error) error {
	for range rounds {
		for _, side := range l.Rand.Perm(sides) {
			if err := run(side); err != nil {
				return err
			}
		}
	}
	return nil
}

// Pin puts the calling goroutine on a thread of its own, on the client's processor, until release, and notes it where it cannot. The
// goroutines and the runtime's own threads stay where they are.
func (l *Lab) Pin() (release func()) {
	if l.places.why != "" {
		l.Note("%s", l.places.why)
	}
	if l.places.client < 0 {
		return func() {}
	}
	release, err := pin(l.places.client)
	if err != nil {
		l.Note("not pinned to a processor: %v", err)
		return func() {}
	}
	return release
}

// Responder returns the server to ask: that of Options, else the built-in one, which it starts in another process on another processor than the client's.
func (l *Lab) Responder() (netip.AddrPort, error) {
	if l.Server.IsValid() {
		return l.Server, nil
	}
	if l.responder == nil {
		r, err := l.startResponder()
		if err != nil {
			return netip.AddrPort{}, fmt.Errorf("the responder's process: %w", err)
		}
		l.responder = r
	}
	return l.responder.addr, nil
}

// Close ends the responder.
func (l *Lab) Close() error {
	if l.responder == nil {
		return nil
	}
	err := l.responder.Stop()
	l.responder = nil
	return err
}
