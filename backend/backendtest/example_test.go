package backendtest_test

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/backend/backendtest"
)

// A server echoes over a network that takes 10 ms each way. In a bubble of testing/synctest the time would be exact, and pass at once.
func ExampleNetwork() {
	n := backendtest.NewNetwork()
	defer n.Close()
	n.SetFaults(backendtest.Faults{Delay: 10 * time.Millisecond})
	address := netip.MustParseAddrPort("192.0.2.53:53")
	server, err := n.ListenPacket(address)
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		buf := make([]byte, 512)
		if size, from, err := server.ReadFrom(buf); err == nil {
			server.WriteTo(buf[:size], from)
		}
	}()

	ready := make(chan struct{}, 1)
	client, err := n.Backend().Open(backend.Config{Remote: address, Notify: func() { ready <- struct{}{} }})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	start := time.Now()
	client.Send([]backend.Datagram{{Data: []byte("hello")}})
	<-ready
	batch := []backend.Datagram{{Buf: make([]byte, 512)}}
	got, dry, err := client.Recv(batch)
	fmt.Printf("%d datagram, dry %v, error %v: %s\n", got, dry, err, batch[0].Data)
	fmt.Println("a round trip has passed:", time.Since(start) >= 20*time.Millisecond)
	// Output:
	// 1 datagram, dry true, error <nil>: hello
	// a round trip has passed: true
}
