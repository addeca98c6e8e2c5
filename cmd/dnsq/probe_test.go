package main

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/ioevent"
)

func TestMechanismLines(t *testing.T) {
	var l mechanisms
	old, forbidden := errors.New("needs kernel 5.0"), errors.New("not permitted\n")
	l.add("backend", "a", ioevent.Sleep, old)
	l.add("backend", "b", ioevent.Sleep, forbidden)
	l.add("backend", "c", ioevent.Sleep, nil)
	l.add("backend", "d", ioevent.Sleep, nil)
	l.add("backend", "e", ioevent.Sleep, old)
	l.add("poller", "f", ioevent.Spin, nil)
	l.add("poller", "g", ioevent.Sleep, nil)
	l.add("poller", "h", ioevent.Busy, nil)
	l.add("poller", "i", ioevent.Busy, old)
	want := `backend	a: no: needs kernel 5.0
backend	b: no: not permitted\010
backend	c: ok, preferred
backend	d: ok
backend	e: no: needs kernel 5.0
poller	f: ok, on request
poller	g: ok, preferred
poller	h: ok, on request
poller	i: no: needs kernel 5.0
`
	if diff := cmp.Diff(want, l.text.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want = `auto	backend c: the first of them that works, after a (needs kernel 5.0), b (not permitted\010)
auto	poller g: the first of them
`
	if diff := cmp.Diff(want, l.auto.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestClockText(t *testing.T) {
	for _, tt := range []struct {
		source     string
		read, call time.Duration
		rule       int
		want       string
	}{
		{"tsc", 39, 140, 1, "tsc by vDSO, 39 ns a read, 140 by system call; a loop reads it each turn"},
		{"hpet", 2475, 2500, 8, "hpet without vDSO, 2475 ns a read, 2500 by system call; a loop reads it when it slept, else each 8 turns"},
		{"acpi_pm", 900, 850, 8, "acpi_pm without vDSO, 900 ns a read, 850 by system call; a loop reads it when it slept, else each 8 turns"},
		{"unknown", 30, 0, 1, "unknown, 30 ns a read; a loop reads it each turn"},
		{"unknown", 30, 0, 0, "unknown, 30 ns a read"},
	} {
		if got := clockText(tt.source, tt.read, tt.call, tt.rule); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}

func TestPathText(t *testing.T) {
	for _, tt := range []struct {
		path      machine.Path
		err, busy error
		want      string
	}{
		{machine.Path{Interface: "lo", Loopback: true}, nil, nil,
			"interface lo, NAPI id 0: busy polling cannot work, loopback has no device to poll; poller spin needs none"},
		{machine.Path{Interface: "v0"}, nil, nil,
			"interface v0, NAPI id 0: busy polling cannot work, the device received without NAPI; poller spin needs none"},
		{machine.Path{Interface: "eth0", NAPI: 265}, nil, nil, "interface eth0, NAPI id 265: busy polling can work, take poller busy"},
		{machine.Path{Interface: "eth0", NAPI: 265}, nil, errors.ErrUnsupported,
			"interface eth0, NAPI id 265: busy polling can work by busy_poll and busy_read, not by poller busy"},
		{machine.Path{}, os.ErrDeadlineExceeded, nil, "no reply: only one tells whether its device can be polled"},
		{machine.Path{}, errors.New("refused\n"), nil, `not known whether its device can be polled: refused\010`},
	} {
		if got := pathText(tt.path, tt.err, tt.busy); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
