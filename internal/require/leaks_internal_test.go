package require

import (
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) { NoLeaks(m) }

func TestNoLeaks(t *testing.T) {
	stop := make(chan struct{})
	var left *os.File
	for _, tt := range []struct {
		name  string
		run   func() int
		clean func()
		code  int
		log   string // "": nothing may be logged
	}{
		{"nothing left", func() int { return 0 }, func() {}, 0, ""},
		{"tests failed", func() int { return 3 }, func() {}, 3, ""},
		{"network used and closed", useNetwork, func() {}, 0, ""},
		{"closed a little later", func() int {
			f := open(t)
			go func() { time.Sleep(50 * time.Millisecond); f.Close() }()
			return 0
		}, func() {}, 0, ""},
		{"goroutine left", func() int { go func() { <-stop }(); return 0 },
			func() { close(stop) }, 1, "goroutines left"},
		{"descriptor left", func() int { left = open(t); return 0 },
			func() { left.Close() }, 1, "descriptors left"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.log == "descriptors left" && descriptors() == nil {
				t.Skip("this system does not list descriptors")
			}
			var log strings.Builder
			code := noLeaks(tt.run, &log)
			tt.clean()
			if code != tt.code || (tt.log == "") != (log.Len() == 0) || !strings.Contains(log.String(), tt.log) {
				t.Errorf("exit code %d, want %d; log %q, want it to hold %q", code, tt.code, &log, tt.log)
			}
		})
	}
}

func useNetwork() int {
	l, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return 1
	}
	l.Close()
	return 0
}

func open(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(t.TempDir() + "/left")
	if err != nil {
		t.Fatal(err)
	}
	return f
}
