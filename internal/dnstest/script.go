package dnstest

import (
	"slices"
	"sync"
	"time"

	"github.com/miekg/dns"
)

// All takes the steps one after the other for one query: with replies as steps,
// each is sent.
func All(steps ...Handler) Handler {
	return func(w *Writer, q Request) {
		for _, step := range steps {
			step(w, q)
		}
	}
}

// Times takes the step n times for one query.
func Times(n int, step Handler) Handler { return All(slices.Repeat([]Handler{step}, n)...) }

// Seq takes the first step for the first arrival of a question over a
// transport, the second for the second and so on, and the last for all further
// ones. See Request.N.
func Seq(steps ...Handler) Handler {
	return func(w *Writer, q Request) { steps[min(q.N, len(steps))-1](w, q) }
}

// After takes the step when d has passed, and returns at once: in All and
// Seq the next step does not wait for it.
func After(d time.Duration, step Handler) Handler {
	return func(w *Writer, q Request) {
		w.s.wg.Go(func() {
			if w.s.sleep(d) {
				step(w, q)
			}
		})
	}
}

// Transports chooses by the query's transport.
func Transports(udp, tcp Handler) Handler {
	return func(w *Writer, q Request) {
		if q.Transport == TCP {
			tcp(w, q)
		} else {
			udp(w, q)
		}
	}
}

// EDNS chooses by whether the query holds an OPT record.
func EDNS(with, without Handler) Handler {
	return func(w *Writer, q Request) {
		if q.EDNS {
			with(w, q)
		} else {
			without(w, q)
		}
	}
}

// Each chooses by the name asked, spelled in lower case with its final dot;
// "" is for all others, which get no answer without it.
func Each(byName map[string]Handler) Handler {
	return func(w *Writer, q Request) {
		h, ok := byName[keyOf(q.Question).name]
		if !ok {
			h, ok = byName[""]
		}
		if ok {
			h(w, q)
		}
	}
}

// ByType chooses by the type asked; 0 is for all others, which get no answer
// without it.
func ByType(byType map[uint16]Handler) Handler {
	return func(w *Writer, q Request) {
		h, ok := byType[q.Question.Qtype]
		if !ok {
			h, ok = byType[dns.TypeNone]
		}
		if ok {
			h(w, q)
		}
	}
}

// Gather holds each n queries and then takes the step for all of them, in the
// order given: InOrder or Reversed. What goes to one TCP connection goes in one
// write.
func Gather(n int, order func(n int) []int, step Handler) Handler {
	type waiting struct {
		w *Writer
		q Request
	}
	var mu sync.Mutex
	var held []waiting
	return func(w *Writer, q Request) {
		mu.Lock()
		defer mu.Unlock()
		if held = append(held, waiting{w, q}); len(held) < n {
			return
		}
		streams := make(map[*conn][]byte)
		for _, i := range order(n) {
			v := held[i].w
			if c := v.conn; c != nil {
				v = v.with(func(octets []byte) { streams[c] = append(streams[c], octets...) })
			}
			step(v, held[i].q)
		}
		for c, octets := range streams {
			c.write(octets)
		}
		held = nil
	}
}

// InOrder is an order for Gather: the first query is answered first.
func InOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// Reversed is an order for Gather: the last query is answered first.
func Reversed(n int) []int {
	order := InOrder(n)
	slices.Reverse(order)
	return order
}
