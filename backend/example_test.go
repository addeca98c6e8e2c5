package backend_test

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/dnsq/dnsq/backend"
)

// One datagram goes through the loopback interface. A real caller waits for readiness instead of asking again and again.
func Example() {
	b, err := backend.Named("")
	if err != nil {
		fmt.Println(err)
		return
	}
	server, err := b.Open(backend.Config{Local: netip.MustParseAddrPort("127.0.0.1:0")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	client, err := b.Open(backend.Config{Remote: server.LocalAddr()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	if _, err := client.Send([]backend.Datagram{{Data: []byte("hello")}}); err != nil {
		fmt.Println(err)
	}
	batch := []backend.Datagram{{Buf: make([]byte, 2048)}}
	for {
		n, _, err := server.Recv(batch)
		if err != nil {
			fmt.Println(err)
			return
		}
		if n > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Printf("%s, from the client: %v\n", batch[0].Data, batch[0].Addr == client.LocalAddr())
	// Output: hello, from the client: true
}

func ExampleNamed() {
	b, err := backend.Named("net")
	fmt.Println(b.Name, err)
	_, err = backend.Named("carrier-pigeon")
	fmt.Println(err != nil)
	// Output:
	// net <nil>
	// true
}
