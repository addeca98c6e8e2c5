package backend_test

import (
	"net/netip"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// bufferErrors is how often a receive queue of this network namespace was full (udp(7)), for IPv4 or IPv6.
func bufferErrors(t *testing.T, addr netip.Addr) (n uint64) {
	t.Helper()
	file, name := "/proc/thread-self/net/snmp", "RcvbufErrors"
	if addr.Is6() {
		file, name = "/proc/thread-self/net/snmp6", "Udp6RcvbufErrors"
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(text))
	if addr.Is4() { // a line of names, and one of values
		lines := strings.Split(string(text), "\nUdp: ")
		names, values := strings.Fields(lines[1]), strings.Fields(lines[2])
		words = nil
		for i, name := range names {
			words = append(words, name, values[i])
		}
	}
	for i, w := range words {
		if w == name {
			n, err = strconv.ParseUint(words[i+1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("%s has no %s", file, name)
	return 0
}

// flooded is how many datagrams flood sends at a time.
const flooded = 50

// flood sends count datagrams of 100 octets, as trains where from's backend does.
func flood(t *testing.T, from backend.Socket, count int) {
	t.Helper()
	for batch := make([]backend.Datagram, flooded); count > 0; count -= len(batch) {
		for i := range batch {
			batch[i].Data = make([]byte, 100)
		}
		if n, err := from.Send(batch); n != len(batch) || err != nil {
			t.Fatalf("%d of %d sent: %v", n, len(batch), err)
		}
	}
}

// drain receives what there is.
func drain(t *testing.T, s backend.Socket) (n int) {
	t.Helper()
	batch := make([]backend.Datagram, 64)
	for i := range batch {
		batch[i].Buf = make([]byte, 512)
	}
	for idle := 0; idle < 3; {
		got, _, err := s.Recv(batch)
		if err != nil {
			t.Fatal(err)
		}
		n += got
		if idle++; got > 0 {
			idle = 0
		}
		time.Sleep(time.Millisecond)
	}
	return n
}

// sendTwo sends two at once from s, with which one of the gso backend begins to receive trains.
func sendTwo(t *testing.T, s backend.Socket) {
	t.Helper()
	nowhere := open(t, backend.List()[1], backend.Config{Local: netip.AddrPortFrom(s.LocalAddr().Addr(), 0)}).LocalAddr()
	if n, err := s.Send([]backend.Datagram{{Data: []byte("x"), Addr: nowhere}, {Data: []byte("y"), Addr: nowhere}}); n != 2 || err != nil {
		t.Fatalf("%d of 2 sent: %v", n, err)
	}
}

// dropping opens a socket with the least receive buffer, and one connected to it.
func dropping(t *testing.T, b, sender backend.Backend, local netip.Addr, cfg backend.Config) (to, from backend.Socket) {
	t.Helper()
	cfg.Local, cfg.RecvBuffer = netip.AddrPortFrom(local, 0), 1
	to = open(t, b, cfg)
	return to, open(t, sender, backend.Config{Remote: to.LocalAddr()})
}

// wantDrops fails unless to has counted what the kernel has since before, and returns how many that are.
func wantDrops(t *testing.T, to backend.Socket, local netip.Addr, before uint64) uint64 {
	t.Helper()
	counted, dropped := bufferErrors(t, local)-before, to.Stats().Dropped
	if dropped != counted || counted == 0 {
		t.Errorf("%v: Dropped is %d, and the kernel has counted %d", local, dropped, counted)
	}
	return counted
}

// TestDropsAreExact: Stats has as many drops as the kernel at any time, whether or not something was received since, and with what was received they are all that
// was sent: one by one, as trains that are cut up at the socket, and where it would receive trains but was told not to.
func TestDropsAreExact(t *testing.T) {
	inNamespace(t, nil, func(t *testing.T, b backend.Backend) {
		for _, sender := range backend.List() {
			if !sender.Descriptors || sender.Probe() != nil {
				continue
			}
			for _, local := range []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.IPv6Loopback()} {
				const count = 1000
				to, from := dropping(t, b, sender, local, backend.Config{NoTrains: true})
				sendTwo(t, to)
				before, received := bufferErrors(t, local), 0
				for round := 1; round <= 2; round++ {
					flood(t, from, count)
					dropped := wantDrops(t, to, local, before)
					if received += drain(t, to); uint64(received)+dropped != uint64(round*count) {
						t.Errorf("%s to %v: %d received and %d dropped of %d", sender.Name, local, received, dropped, round*count)
					}
					wantDrops(t, to, local, before)
				}
				if to.Stats().Trains {
					t.Error("trains are received")
				}
			}
		}
	})
}

// TestDroppedTrains: a socket that receives trains counts one that was dropped once, as the kernel does, and says so.
func TestDroppedTrains(t *testing.T) {
	inNamespace(t, nil, func(t *testing.T, b backend.Backend) {
		if b.Name != "gso" {
			return
		}
		for _, local := range []netip.Addr{netip.MustParseAddr("127.0.0.1"), netip.IPv6Loopback()} {
			const count = 1000
			to, from := dropping(t, b, b, local, backend.Config{})
			before := bufferErrors(t, local)
			if to.Stats().Trains {
				t.Error("trains are received before anything was sent")
			}
			sendTwo(t, to)
			flood(t, from, count)
			dropped := wantDrops(t, to, local, before)
			received := drain(t, to)
			if !to.Stats().Trains || received%flooded != 0 || int(dropped)*flooded+received != count {
				t.Errorf("trains %v: %d received and %d dropped of %d in trains of %d", to.Stats().Trains, received, dropped, count, flooded)
			}
		}
	})
}
