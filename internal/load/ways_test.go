package load

import (
	"net/netip"
	"slices"
	"testing"
)

func server(host byte, weight int) Server {
	return Server{Addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, host}), 53), Weight: weight}
}

func TestWeights(t *testing.T) {
	for _, tt := range []struct {
		weights []int
		want    []uint16
	}{
		{[]int{1}, []uint16{0}},
		{[]int{1, 1}, []uint16{0, 1}},
		{[]int{3, 1}, []uint16{0, 0, 1, 0}},
		{[]int{5, 1, 1}, []uint16{0, 0, 1, 0, 2, 0, 0}},
	} {
		var servers []Server
		for i, w := range tt.weights {
			servers = append(servers, server(byte(i), w))
		}
		if got := weighted(servers); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.weights, got, tt.want)
		}
	}
}

func TestWays(t *testing.T) {
	sources, err := ParseSources("127.0.0.1,127.0.1.0/29")
	if err != nil || len(sources) != 7 {
		t.Fatal(sources, err)
	}
	p := (&Plan{Servers: []Server{server(1, 2), server(2, 1)}, Sources: sources, Clients: 3, Threads: 3}).withDefaults()
	used := make(map[netip.Addr]bool)
	for i := range 3 {
		w := newWays(p, i)
		if len(w.all) != 6 || w.sockets != 1 {
			t.Errorf("shard %d has %d ways of %d sockets", i, len(w.all), w.sockets)
		}
		turns := make([]int, len(w.all))
		for range 18 {
			turns[w.next()]++
		}
		if want := []int{4, 4, 4, 2, 2, 2}; !slices.Equal(turns, want) {
			t.Errorf("shard %d goes %v, want %v", i, turns, want)
		}
		for k, x := range w.all {
			used[x.Local] = true
			if int(w.targets[k]) != k/3 || x.Addr != p.Servers[k/3].Addr {
				t.Errorf("way %d is to %v, target %d", k, x.Addr, w.targets[k])
			}
		}
	}
	if len(used) != 7 {
		t.Errorf("of 7 addresses %d are used", len(used))
	}
	p.Sources = sources[:2]
	if w := newWays(p, 0); w.sockets != 2 || w.each != 2 {
		t.Errorf("3 clients of 2 addresses: %d sockets of %d", w.sockets, w.each)
	}
}

func TestParseSources(t *testing.T) {
	for text, want := range map[string]int{"192.0.2.1": 1, "192.0.2.0/24": 254, "192.0.2.0/31": 2, "192.0.2.7/32, 192.0.2.9": 2, "2001:db8::/120": 256, "::1": 1} {
		if list, err := ParseSources(text); err != nil || len(list) != want {
			t.Errorf("%s: %d addresses (%v), want %d", text, len(list), err, want)
		}
	}
	for _, text := range []string{"", "eth0", "10.0.0.0/8", "2001:db8::/64", "192.0.2.1,"} {
		if _, err := ParseSources(text); err == nil {
			t.Errorf("%q has no error", text)
		}
	}
}
