package ioeventtest

import (
	"sync"
	"sync/atomic"

	"github.com/dnsq/dnsq/ioevent"
)

// testNotifyLedger has many goroutines make many tokens ready. Each piece of work is done once, and no handler is called more often than
// it was notified.
func testNotifyLedger(s *stand) {
	const tokens, producers, rounds = 8, 4, 500
	var work [tokens]atomic.Int64
	var toks [tokens]ioevent.Token
	var done, calls int64
	for i := range toks {
		toks[i] = s.loop.Register(handlerFunc(func(ioevent.Event) bool {
			calls++
			done += work[i].Swap(0)
			return true
		}))
	}
	var wg sync.WaitGroup
	for range producers {
		wg.Go(func() {
			for n := range rounds * tokens {
				work[n%tokens].Add(1)
				s.loop.Notify(toks[n%tokens])
			}
		})
	}
	const all = producers * rounds * tokens
	s.run(func(ioevent.Time) (more, enough bool) { return false, done == all })
	wg.Wait()
	if done != all || calls > all {
		s.Errorf("%d pieces of work done by %d calls, want %d by at most as many", done, calls, all)
	}
	if wakes, sleeps := s.calls.wakes.Load(), s.calls.block.Load(); wakes > sleeps+2 { // before the first turn, and behind the last
		s.Errorf("the poller was woken %d times in %d sleeps", wakes, sleeps)
	}
}

// testWakesOnlyASleeper counts the wake-ups written.
func testWakesOnlyASleeper(s *stand) {
	tok := s.loop.Register(handlerFunc(func(ioevent.Event) bool { return true }))
	turns := 0
	s.run(func(ioevent.Time) (more, enough bool) { // never sleeps
		for range 10 {
			s.loop.Notify(tok)
			s.loop.Wake()
		}
		if n := s.calls.wakes.Swap(0); n > 0 {
			s.Errorf("%d wake-ups written to a loop that does not sleep", n)
		}
		turns++
		return true, turns == 100
	})
	s.calls.wakes.Store(0) // one may have been left for the owner, who is not turning the loop now

	const sleeps = 20
	slept := 0
	asleep := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for range asleep {
			for range 10 {
				s.loop.Wake()
			}
		}
	})
	s.run(func(ioevent.Time) (more, enough bool) {
		slept++
		if slept <= sleeps {
			asleep <- struct{}{}
		}
		return false, slept > sleeps
	})
	close(asleep)
	wg.Wait()
	if n, most := s.calls.wakes.Load(), s.calls.block.Load()+1; n > most {
		s.Errorf("%d wake-ups written to %d sleeps", n, most-1)
	}
}
