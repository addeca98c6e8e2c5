package ioevent_test

import (
	"fmt"
	"log"
	"time"

	"github.com/dnsq/dnsq/ioevent"
)

// A reminder prints a text when its timer comes.
type reminder struct {
	timer ioevent.Timer
	text  string
	then  func()
}

func (r *reminder) Expire(ioevent.Time) {
	fmt.Println(r.text)
	r.then()
}

// A loop with a timer.
func Example() {
	l, err := ioevent.NewLoop(ioevent.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	tea := &reminder{text: "tea is ready", then: l.Quit}
	tea.timer.Init(tea)
	l.Start(&tea.timer, l.Now()+ioevent.Time(5*time.Millisecond))
	if err := l.Run(nil); err != nil {
		log.Fatal(err)
	}
	// Output: tea is ready
}

// A greeter is a handler without a descriptor: another goroutine makes it ready.
type greeter struct{ names chan string }

func (g *greeter) HandleEvent(ioevent.Event) (dry bool) {
	fmt.Println("hello,", <-g.names)
	return len(g.names) == 0
}

// Another loop, here a plain for statement, turns this one: Poll calls the handlers, Expire fires the timers and says when to come back.
func ExampleLoop_Poll() {
	l, err := ioevent.NewLoop(ioevent.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()

	g := &greeter{names: make(chan string, 2)}
	tok := l.Register(g)
	g.names <- "Ada"
	g.names <- "Grace"
	l.Notify(tok) // from any goroutine

	over := false
	end := &reminder{text: "that was all", then: func() { over = true }}
	end.timer.Init(end)
	l.Start(&end.timer, l.Now()+ioevent.Time(5*time.Millisecond))
	for {
		now := ioevent.Now()
		l.Poll(now)
		next := l.Expire(now)
		if over {
			break
		}
		time.Sleep(time.Duration(next - ioevent.Now())) // a real loop would watch l.FD() meanwhile
	}
	// Output:
	// hello, Ada
	// hello, Grace
	// that was all
}
