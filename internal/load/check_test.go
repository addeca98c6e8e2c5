package load

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/resolver"
)

func TestCheck(t *testing.T) {
	good := func() *Plan { return &Plan{Servers: []Server{server(1, 0)}, Set: list{}} }
	for _, tt := range []struct {
		change func(p *Plan)
		want   string
	}{
		{func(p *Plan) { p.Servers = nil }, "--server: there is no server"},
		{func(p *Plan) { p.Servers[0].Addr = netip.AddrPort{} }, "--server invalid AddrPort is not an address and a port"},
		{func(p *Plan) { p.Servers[0].Weight = -1 }, "has the weight -1; it may be 1 to 1000"},
		{func(p *Plan) { p.Transport = 9 }, "--transport none: there is udp and tcp"},
		{func(p *Plan) { p.Sources = []netip.Addr{netip.MustParseAddr("::1")} }, "--source ::1 cannot send to --server 192.0.2.1:53"},
		{func(p *Plan) { p.Threads = 65 }, "--threads 65: it may be 1 to 64"},
		{func(p *Plan) { p.Threads = -1 }, "--threads -1"},
		{func(p *Plan) { p.Clients = 20000 }, "--clients 20000: it may be 1 to 16384"},
		{func(p *Plan) { p.Outstanding = -5 }, "--outstanding -5"},
		{func(p *Plan) { p.Outstanding, p.Threads = 3, 4 }, "--outstanding 3 is less than one for each of --threads 4"},
		{func(p *Plan) { p.PerClient = 70000 }, "--per-client 70000: it may be 0 to 65536"},
		{func(p *Plan) { p.PerConnection = 5 }, "--per-connection is for --transport tcp"},
		{func(p *Plan) { p.RecvBuffer = 5 }, "--receive-buffer 5: it may be 2048 to"},
		{func(p *Plan) { p.Duration = -time.Second }, "--duration -1s: it must be at least 0s"},
		{func(p *Plan) { p.Warmup = -time.Second }, "--warmup -1s"},
		{func(p *Plan) { p.Timeout = time.Hour }, "--timeout 1h0m0s: it may be 1m40s at most"},
		{func(p *Plan) { p.Timeout = time.Microsecond }, "--timeout 1µs: it must be at least 1ms"},
		{func(p *Plan) { p.Lag = -1 }, "--lag -1ns"},
		{func(p *Plan) { p.Set = nil }, "--data: there are no queries"},
		{func(p *Plan) { p.Arrival = Poisson }, "--arrival poisson needs a --rate"},
		{func(p *Plan) { p.Arrival = Recorded }, "--arrival recorded: a list has no times"},
		{func(p *Plan) { p.Arrival, p.Set, p.Rate = Recorded, list{every: 1}, At(5) }, "exclude each other"},
		{func(p *Plan) { p.Speed = 2 }, "--replay-speed is for --arrival recorded"},
		{func(p *Plan) { p.Arrival, p.Set, p.Speed = Recorded, list{every: 1}, -1 }, "--replay-speed -1: it must be above 0"},
		{func(p *Plan) { p.Arrival = 7 }, "--arrival: arrival 7 is none"},
	} {
		p := good()
		tt.change(p)
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v, want %q", err, tt.want)
		}
	}
	for _, change := range []func(p *Plan){
		func(*Plan) {},
		func(p *Plan) { p.Rate, p.Arrival = At(5), Poisson },
		func(p *Plan) { p.Arrival, p.Set, p.Speed = Recorded, list{every: 1}, 0.5 },
		func(p *Plan) { p.Transport, p.PerConnection = resolver.TCP, 128 },
		func(p *Plan) { p.Rate, p.Outstanding, p.PerClient = At(5), 100, 10 },
	} {
		p := good()
		change(p)
		if err := p.Check(); err != nil {
			t.Error(err)
		}
	}
	p := good()
	p.Set, p.Threads = nil, 99
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), "--data") || !strings.Contains(err.Error(), "--threads") {
		t.Errorf("two mistakes: %v", err)
	}
}

func TestParseArrival(t *testing.T) {
	for _, a := range []Arrival{Constant, Poisson, Recorded} {
		if got, err := ParseArrival(a.String()); got != a || err != nil {
			t.Errorf("%v: %v, %v", a, got, err)
		}
	}
	if _, err := ParseArrival("burst"); err == nil || !strings.Contains(err.Error(), `"burst"`) {
		t.Error(err)
	}
}
