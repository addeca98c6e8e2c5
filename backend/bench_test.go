package backend_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// BenchmarkLoopback moves datagrams of 100 octets from one socket to another.
func BenchmarkLoopback(b *testing.B) {
	for _, entry := range backend.List() {
		for _, batch := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("backend=%s/batch=%d", entry.Name, batch), func(b *testing.B) {
				if err := entry.Probe(); err != nil {
					b.Skip(err)
				}
				move(b, entry, batch)
			})
		}
	}
}

func move(b *testing.B, entry backend.Backend, batch int) {
	ready := make(chan struct{}, 1)
	to, err := entry.Open(backend.Config{Local: loopback, Batch: batch, Notify: func() {
		select {
		case ready <- struct{}{}:
		default:
		}
	}})
	if err != nil {
		b.Fatal(err)
	}
	defer to.Close()
	from, err := entry.Open(backend.Config{Remote: to.LocalAddr(), Batch: batch})
	if err != nil {
		b.Fatal(err)
	}
	defer from.Close()
	out, in := make([]backend.Datagram, batch), make([]backend.Datagram, batch)
	for i := range out {
		out[i].Data, in[i].Buf = make([]byte, 100), make([]byte, 2048)
	}
	b.ReportAllocs()
	for b.Loop() {
		if n, err := from.Send(out); n != batch || err != nil {
			b.Fatalf("Send = %d, %v", n, err)
		}
		for got := 0; got < batch; {
			n, _, err := to.Recv(in)
			if err != nil {
				b.Fatal(err)
			}
			if got += n; n == 0 && to.FD() < 0 {
				select {
				case <-ready:
				case <-time.After(time.Second):
					b.Fatalf("%d of %d datagrams came", got, batch)
				}
			}
		}
	}
	moved := float64(b.N * batch)
	b.ReportMetric(float64(to.Stats().Syscalls+from.Stats().Syscalls)/moved, "syscalls/datagram")
	b.ReportMetric(float64(b.Elapsed())/moved, "ns/datagram")
}
