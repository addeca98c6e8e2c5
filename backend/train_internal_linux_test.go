package backend

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// ofLengths returns datagrams of these lengths, to the addresses whose ports are given, else to one.
func ofLengths(lengths []int, ports ...uint16) (batch []Datagram) {
	for i, n := range lengths {
		port := uint16(53)
		if len(ports) > 0 {
			port = ports[i]
		}
		batch = append(batch, Datagram{Data: make([]byte, n), Addr: netip.AddrPortFrom(netip.IPv6Loopback(), port)})
	}
	return batch
}

func TestRun(t *testing.T) {
	many := slices.Repeat([]int{10}, 200)
	for _, tt := range []struct {
		name    string
		lengths []int
		ports   []uint16
		most    int
		names   bool
		n       int
		octets  int
	}{
		{"one", []int{7}, nil, 128, true, 1, 7},
		{"equal", []int{7, 7, 7}, nil, 128, true, 3, 21},
		{"a shorter one ends it", []int{7, 7, 3, 3}, nil, 128, true, 3, 17},
		{"a longer one is another", []int{7, 8}, nil, 128, true, 1, 7},
		{"an empty one is no part", []int{7, 7, 0}, nil, 128, true, 2, 14},
		{"an empty one stands alone", []int{0, 0}, nil, 128, true, 1, 0},
		{"the kernel's limit", many, nil, 64, true, 64, 640},
		{"the newer limit", many, nil, 128, true, 128, 1280},
		{"the largest datagram", []int{30000, 30000, 30000}, nil, 128, true, 2, 60000},
		{"to the octet", []int{32754, 32753}, nil, 128, true, 2, 65507},
		{"one octet more", []int{32754, 32754}, nil, 128, true, 1, 32754},
		{"two addresses", []int{7, 7, 7}, []uint16{53, 53, 54}, 128, true, 2, 14},
		{"addresses do not matter where connected", []int{7, 7, 7}, []uint16{53, 53, 54}, 128, false, 3, 21},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if n, octets := run(ofLengths(tt.lengths, tt.ports...), tt.most, tt.names); n != tt.n || octets != tt.octets {
				t.Errorf("run = %d, %d octets, want %d, %d", n, octets, tt.n, tt.octets)
			}
		})
	}
}

// TestOutgoingTrains: what does not fit into the memory for trains waits for the next call; a datagram alone needs none of it.
func TestOutgoingTrains(t *testing.T) {
	for _, tt := range []struct {
		name    string
		lengths []int
		want    []int
	}{
		{"runs", []int{7, 7, 3, 3, 3, 9, 1}, []int{3, 2, 2}},
		{"no runs", []int{1, 2, 3}, []int{1, 1, 1}},
		{"two large trains", []int{30000, 30000, 20000, 20000}, []int{2}},
		{"a large one alone", []int{30000, 30000, 40000}, []int{2, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := NewArena()
			batch := ofLengths(tt.lengths)
			if got := a.outgoingTrains(batch, false); !slices.Equal(got, tt.want) {
				t.Fatalf("trains of %v, want %v", got, tt.want)
			}
			for i, n := range tt.want {
				if got := a.sending.msgs[i].Hdr.Controllen != 0; got != (n > 1) {
					t.Errorf("message %d of %d datagrams has a segment size: %v", i, n, got)
				}
			}
		})
	}
}

// text shows entries: their octets, and ! behind one that is truncated.
func text(batch []Datagram) string {
	var words []string
	for _, d := range batch {
		words = append(words, fmt.Sprintf("%s%s", d.Data, map[bool]string{true: "!"}[d.Truncated]))
	}
	return strings.Join(words, " ")
}

func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		name    string
		data    string
		size    int
		segment int
		want    string
		length  int
	}{
		{"a datagram", "abcde", 5, 0, "abcde", 1},
		{"an empty datagram", "", 0, 0, "", 1},
		{"a cut datagram", "abc", 5, 0, "abc!", 1},
		{"a datagram of which nothing is there", "", 5, 0, "!", 1},
		{"a train", "aabbcc", 6, 2, "aa bb cc", 3},
		{"the last is shorter", "aabbc", 5, 2, "aa bb c", 3},
		{"a train of one", "aa", 2, 2, "aa", 1},
		{"a segment larger than all", "aa", 2, 9, "aa", 1},
		{"a cut train", "aabbc", 8, 2, "aa bb c!", 4},
		{"cut between two", "aabb", 8, 2, "aa bb", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			from := netip.MustParseAddrPort("192.0.2.1:53")
			for _, room := range []int{1, 2, 8} { // all at once, or kept in between
				m := message{data: []byte(tt.data), size: tt.size, segment: tt.segment, from: from}
				if n := m.length(); n != tt.length {
					t.Errorf("length = %d, want %d", n, tt.length)
				}
				var k kept
				k.push(m)
				var got []string
				for !k.empty() {
					batch := make([]Datagram, room)
					n := k.split(batch)
					for _, d := range batch[:n] {
						if d.Addr != from || cap(d.Data) != len(d.Data) {
							t.Errorf("from %v, want %v; room for %d octets behind", d.Addr, from, cap(d.Data)-len(d.Data))
						}
					}
					got = append(got, text(batch[:n]))
				}
				if got := strings.Join(got, " "); got != tt.want {
					t.Errorf("%d at a time: %q, want %q", room, got, tt.want)
				}
			}
		})
	}
}

// TestKept fills one call's batch from several messages, and uses its memory again.
func TestKept(t *testing.T) {
	var k kept
	for round := range 3 {
		k.reuse()
		for _, data := range []string{"aabb", "", "ccd"} {
			k.push(message{data: []byte(data), size: len(data), segment: min(2, len(data))})
		}
		batch := make([]Datagram, 4)
		n := k.split(batch)
		first := text(batch[:n])
		k.push(message{data: []byte("e"), size: 1}) // what was returned stays
		if again := text(batch[:n]); first != "aa bb  cc" || again != first {
			t.Errorf("round %d: %q, then %q, want %q", round, first, again, "aa bb  cc")
		}
		k.reuse() // there is something left
		if n := k.split(batch); text(batch[:n]) != "d e" || !k.empty() || k.split(batch) != 0 {
			t.Errorf("round %d: then %q, want %q and no more", round, text(batch[:n]), "d e")
		}
		if room := cap(k.octets); room > 16 {
			t.Errorf("round %d: room for %d octets, want that of the first round again", round, room)
		}
	}
}
