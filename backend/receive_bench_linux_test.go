package backend

import (
	"fmt"
	"net/netip"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// BenchmarkReceive is what a received datagram costs besides the system call: 64 of them in a batch that has room for more.
func BenchmarkReceive(b *testing.B) {
	const filled = 64
	to := netip.MustParseAddrPort("127.0.0.1:53")
	plain := func(_ int, msgs []unix.Mmsghdr) (int, syscall.Errno) {
		for i := range min(filled, len(msgs)) {
			msgs[i].Len, msgs[i].Hdr.Controllen = 54, 0
		}
		return min(filled, len(msgs)), 0
	}
	for _, room := range []int{64, 128, 1024} {
		for _, name := range []string{"gso", "recvmmsg"} {
			b.Run(fmt.Sprintf("backend=%s/room=%d", name, room), func(b *testing.B) {
				batch := make([]Datagram, room)
				for i := range batch {
					batch[i].Buf = make([]byte, 2048)
				}
				entry, err := Named(name)
				if err != nil {
					b.Skip(err)
				}
				s, err := entry.Open(Config{Remote: to, Batch: MaxBatch})
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				switch s := s.(type) {
				case *gsoSocket:
					s.recvmmsg, s.gro = plain, true
				case *mmsgSocket:
					s.recvmmsg = plain
				}
				b.ReportAllocs()
				n := 0
				for b.Loop() {
					got, _, _ := s.Recv(batch)
					n += got
				}
				b.ReportMetric(float64(b.Elapsed())/float64(n), "ns/datagram")
			})
		}
	}
}
