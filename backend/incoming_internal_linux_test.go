package backend

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"slices"
	"syscall"
	"testing"

	"github.com/dnsq/dnsq/internal/sys"
	"golang.org/x/sys/unix"
)

// A desk stands in for the kernel: it checks that each message is prepared as a receive into batch needs it, and fills the first ones.
type desk struct {
	t      *testing.T
	arena  *Arena
	batch  []Datagram
	named  bool
	trains bool
	fill   func(i int) (size, segment int)
	want   int // messages to fill
	got    int // messages filled
}

func (k *desk) recvmmsg(_ int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
	used := make(map[*byte]bool)
	first := slices.IndexFunc(k.batch, func(d Datagram) bool { return &d.Buf[0] == msgs[0].Hdr.Iov.Base })
	for i := range msgs {
		m, buf := &msgs[i].Hdr, k.batch[max(first, 0)+i].Buf
		if k.trains {
			buf = buf[:min(len(buf), headroom)]
		}
		iovs := k.arena.receiving.iovs[i][:m.Iovlen]
		if len(iovs) != 2 || m.Iov != &iovs[0] || iovs[0].Base != &buf[0] || int(iovs[0].Len) != len(buf) || iovs[1].Base == nil || iovs[1].Len != maxDatagram {
			k.t.Fatalf("message %d of %d goes to %+v, want the %d octets of its Buf and a tail", i, len(msgs), iovs, len(buf))
		}
		if m.Control == nil || m.Controllen != controlSize || used[m.Control] {
			k.t.Fatalf("message %d of %d has room for %d octets of control messages, want %d of its own", i, len(msgs), m.Controllen, controlSize)
		}
		if (m.Name != nil) != k.named || k.named && (m.Namelen != sys.SockaddrSize || used[m.Name]) {
			k.t.Fatalf("message %d of %d has room for a name of %d octets: %v, want %v", i, len(msgs), m.Namelen, m.Name != nil, k.named)
		}
		used[m.Control], used[m.Name] = true, true
	}
	n := min(k.want, len(msgs))
	for i := range n {
		k.put(&msgs[i], i, k.batch[max(first, 0)+i].Buf)
	}
	k.got, k.want = k.got+n, 0
	return n, 0
}

func (k *desk) sendmmsg(_ int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
	for i := range msgs {
		if m := &msgs[i].Hdr; m.Iovlen != 1 || (m.Name != nil) != k.named || m.Controllen > 0 && !k.trains {
			k.t.Fatalf("message %d of %d to be sent is %+v", i, len(msgs), m)
		}
	}
	return len(msgs), 0
}

// put writes what recvmmsg(2) does.
func (k *desk) put(m *unix.Mmsghdr, i int, buf []byte) {
	size, segment := k.fill(i)
	m.Len, m.Hdr.Flags = uint32(size), unix.MSG_CMSG_CLOEXEC
	m.Hdr.SetControllen(0)
	copy(buf[:m.Hdr.Iov.Len], bytes.Repeat([]byte{byte(i)}, size))
	if k.named {
		m.Hdr.Namelen = k.arena.receiving.names[i].Set(source(i), 0)
	}
	if segment > 0 {
		c := k.arena.receiving.control[i][:]
		binary.NativeEndian.PutUint64(c, uint64(unix.CmsgLen(4)))
		binary.NativeEndian.PutUint32(c[8:], unix.IPPROTO_UDP)
		binary.NativeEndian.PutUint32(c[12:], unix.UDP_GRO)
		binary.NativeEndian.PutUint32(c[16:], uint32(segment))
		m.Hdr.SetControllen(unix.CmsgSpace(4))
	}
}

// source is of either family, so that the length of its name changes.
func source(i int) netip.AddrPort {
	if i%3 == 0 {
		return netip.AddrPortFrom(netip.IPv6Loopback(), uint16(i+1))
	}
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(i+1))
}

// TestHeadersPersist has sockets of both kinds, connected and not, take turns with one Arena, in batches of any width and other buffers:
// each call finds its messages prepared, whatever the kernel or a send left there.
func TestHeadersPersist(t *testing.T) {
	for seed := range uint64(40) {
		takeTurns(t, rand.New(rand.NewPCG(seed, 0)))
	}
}

func takeTurns(t *testing.T, random *rand.Rand) {
	arena := NewArena()
	remote := netip.MustParseAddrPort("127.0.0.1:53")
	k := &desk{t: t, arena: arena}
	var sockets []Socket
	for _, open := range []func(Config) (Socket, error){openGSO, openRecvmmsg} {
		for _, cfg := range []Config{{Remote: remote}, {}} {
			cfg.Arena, cfg.Batch = arena, 200
			s, err := open(cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			scripted(s).recvmmsg = k.recvmmsg
			scripted(s).sendmmsg = k.sendmmsg
			sockets = append(sockets, s)
		}
	}
	in := make([]Datagram, 200)
	for i := range in {
		in[i].Buf = make([]byte, 60)
	}
	for range 50 {
		s := sockets[random.IntN(len(sockets))]
		for range random.IntN(4) {
			d := &in[random.IntN(len(in))]
			if d.Buf = d.Buf[:1+random.IntN(len(d.Buf))]; random.IntN(2) == 0 {
				d.Buf = make([]byte, 1+random.IntN(3)*1500)
			}
		}
		_, k.trains = s.(*gsoSocket)
		k.named = !scripted(s).connected()
		if random.IntN(3) == 0 {
			if n, err := s.Send(ofLengths([]int{9, 9, 9, 4})); n != 4 || err != nil {
				t.Fatalf("Send = %d, %v, want 4, nil", n, err)
			}
		}
		k.batch = in[:1+random.IntN(len(in))]
		k.want, k.got = random.IntN(min(len(k.batch), areas-1)+1), 0
		sizes, segment := random.Perm(100), 0
		if k.trains {
			segment = random.IntN(2) * random.IntN(200)
		}
		k.fill = func(i int) (int, int) { return sizes[i], segment }
		checkReceived(t, s, k, sizes, segment)
	}
}

// checkReceived receives once, and then what is kept of it, and checks the datagrams that are whole.
func checkReceived(t *testing.T, s Socket, k *desk, sizes []int, segment int) {
	t.Helper()
	n, dry, err := s.Recv(k.batch)
	if n < k.got || err != nil {
		t.Fatalf("Recv = %d, %v, want %d or more, nil", n, err, k.got)
	}
	for i, d := range k.batch[:n] {
		if segment > 0 || d.Truncated {
			continue
		}
		from, head := netip.MustParseAddrPort("127.0.0.1:53"), min(sizes[i], len(d.Buf), headroom)
		if k.named {
			from = source(i)
		}
		if len(d.Data) != sizes[i] || !bytes.Equal(d.Data[:head], bytes.Repeat([]byte{byte(i)}, head)) || d.Addr != from || d.Err != nil {
			t.Fatalf("datagram %d has %d octets from %v, %v, want %d from %v", i, len(d.Data), d.Addr, d.Err, sizes[i], from)
		}
	}
	for !dry {
		_, dry, _ = s.Recv(k.batch)
	}
}

// scripted is the socket whose system calls a test replaces.
func scripted(s Socket) *mmsgSocket {
	if g, ok := s.(*gsoSocket); ok {
		return &g.mmsgSocket
	}
	return s.(*mmsgSocket)
}
