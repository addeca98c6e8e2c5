package main

import (
	"fmt"
	"strconv"
	"strings"
)

// figure is one key and its value as printed; a word is not a number.
type figure struct {
	key, value string
	word       bool
}

type figures []figure

func (l *figures) word(key, value string) { *l = append(*l, figure{key, value, true}) }

func (l *figures) count(key string, n int) { *l = append(*l, figure{key, strconv.Itoa(n), false}) }

func (l *figures) number(key string, decimals int, x float64) {
	*l = append(*l, figure{key, strconv.FormatFloat(x, 'f', decimals, 64), false})
}

// text is one line of key=value pairs.
func (l figures) text() string {
	var pairs []string
	for _, f := range l {
		pairs = append(pairs, f.key+"="+f.value)
	}
	return strings.Join(pairs, " ")
}

// json is one object with the same keys and values.
func (l figures) json() []byte {
	var pairs []string
	for _, f := range l {
		value := f.value
		if f.word {
			value = strconv.Quote(value)
		}
		pairs = append(pairs, fmt.Sprintf("%q: %s", f.key, value))
	}
	return []byte("{" + strings.Join(pairs, ", ") + "}\n")
}

// figures tells what was measured.
func (m *measurement) figures(b *benchEngine, backend, poller string) (l figures) {
	u := m.used()
	s, n := &u.stats, int(u.ended)
	each := func(total float64) float64 { return total / float64(max(n, 1)) }
	l.word("bench", "engine")
	l.word("api", b.api)
	l.word("backend", backend)
	l.word("poller", poller)
	l.count("shards", b.shards)
	l.count("sockets", int(s.Sockets))
	l.count("outstanding", b.outstanding)
	l.count("n", n)
	l.count("more", int(m.work.ended)-n)
	l.number("qps", 0, float64(n)/max(float64(u.at)/1e9, 1e-9))
	l.number("cpu_ns", 1, each(float64(u.user+u.sys)))
	l.number("user_ns", 1, each(float64(u.user)))
	l.number("sys_ns", 1, each(float64(u.sys)))
	l.number("syscalls", 4, each(float64(s.Socket.Syscalls+s.Loop.Syscalls)))
	l.number("wakes", 4, each(float64(s.Loop.Wakes)))
	l.number("empty_receives", 4, each(float64(s.Socket.EmptyReceives)))
	l.number("allocs", 4, each(float64(u.mallocs)))
	l.number("clock_reads", 4, each(float64(s.Loop.ClockReads)))
	l.count("timed_waits", int(s.Loop.TimedWaits))
	for _, p := range []int{50, 90, 99} {
		l.number(fmt.Sprintf("p%d_us", p), 1, m.work.trips.at(float64(p)))
	}
	l.count("lost", int(u.lost))
	l.count("timeouts", int(s.Timeouts))
	l.number("heap_bytes", 0, float64(m.live-min(m.live, m.idle))/float64(b.outstanding)+float64(m.work.names.width))
	return l
}
