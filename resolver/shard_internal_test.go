package resolver

import (
	"errors"
	"testing"

	"github.com/dnsq/dnsq/ioevent"
)

// TestShardEndsWhatComesLate: what is put into the inbox when the shard has looked there for the last time completes all the same.
func TestShardEndsWhatComesLate(t *testing.T) {
	poller, err := ioevent.Named("chan")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := Config{Poller: poller}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	s, err := newShard(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var errs []error
	called := false
	q := &Query{Done: func(_ *Query, _ *Reply, err error) { errs = append(errs, err) }}
	s.do(func() {
		if err := s.submit(q); err != nil {
			t.Errorf("submit: %v", err)
		}
		s.do(func() { called = true })
		s.engine.Close()
	})
	<-s.ended
	if len(errs) != 1 || !errors.Is(errs[0], ErrClosed) || !called {
		t.Errorf("completed with %v, call made: %v; want once, with ErrClosed, and true", errs, called)
	}
	if err := s.submit(q); !errors.Is(err, ErrClosed) || s.do(func() {}) {
		t.Errorf("submit after the end: %v", err)
	}
}
