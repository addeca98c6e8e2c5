package ioevent

import (
	"testing"
	"time"
)

func TestSmoke(t *testing.T) {
	for _, m := range List() {
		t.Run(m.Name, func(t *testing.T) {
			l, err := NewLoop(Config{Mechanism: m})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			n := 0
			var b *bell
			start := l.Now()
			b = newBell(func() {
				n++
				t.Log(b.now-b.timer.at, b.now-start)
				if n < 5 {
					l.Start(&b.timer, l.Now()+Time(10*time.Millisecond))
				} else {
					l.Quit()
				}
			})
			l.Start(&b.timer, l.Now()+Time(10*time.Millisecond))
			var tok Token
			got := make(chan Event, 10)
			tok = l.Register(handlerFunc(func(ev Event) bool { got <- ev; return true }))
			go l.Notify(tok)
			if err := l.Run(nil); err != nil {
				t.Fatal(err)
			}
			t.Log(len(got), *l.Counters())
		})
	}
}

type handlerFunc func(ev Event) bool

func (f handlerFunc) HandleEvent(ev Event) bool { return f(ev) }
