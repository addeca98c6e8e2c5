package responder

import (
	"fmt"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// A Stall is a time in which nothing is received or answered; what came meanwhile is answered after it.
type Stall struct {
	Length time.Duration // 0: none
	After  time.Duration // from the first query to the first stall
	Every  time.Duration // from one beginning to the next; 0: there is one
}

func (s *Stall) check() error {
	if s.Length < 0 || s.After < 0 || s.Every < 0 || s.Every > 0 && s.Every <= s.Length {
		return fmt.Errorf("a stall of %v after %v every %v: lengths are not negative, and the last is more than the first", s.Length, s.After, s.Every)
	}
	return nil
}

// left is how much is left at now of the stall that now lies in, where the first query came at first.
func (s *Stall) left(first, now ioevent.Time) time.Duration {
	in := time.Duration(now-first) - s.After
	if in < 0 {
		return 0
	}
	if s.Every > 0 {
		in %= s.Every
	}
	return max(s.Length-in, 0)
}
