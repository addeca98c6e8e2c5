package resolver_test

import (
	"fmt"
	"log"
	"time"

	"github.com/miekg/dns"
	"golang.org/x/sys/unix"

	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// An Engine fits into a loop that is there already, here a plain epoll: its FD is one descriptor among others, and Timeouts says how long the
// loop may sleep.
func ExampleEngine() {
	server, stop := exampleServer()
	defer stop()
	e, err := resolver.NewEngine(resolver.Config{Servers: []resolver.Server{server}})
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	epoll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		log.Fatal(err)
	}
	defer unix.Close(epoll)
	watch := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(e.FD())}
	if err := unix.EpollCtl(epoll, unix.EPOLL_CTL_ADD, e.FD(), &watch); err != nil {
		log.Fatal(err)
	}

	waiting := 0
	for _, name := range []string{"www.example.com", "nosuch.example.com"} {
		waiting++
		err := e.Submit(&resolver.Query{
			Question: resolver.Question{Name: name, Type: dns.TypeA},
			Done: func(q *resolver.Query, r *resolver.Reply, err error) {
				waiting--
				if err != nil {
					log.Fatal(err)
				}
				fmt.Println(q.Name, dns.RcodeToString[int(r.Rcode)])
			},
		})
		if err != nil {
			log.Fatal(err)
		}
	}

	events := make([]unix.EpollEvent, 8)
	for waiting > 0 {
		next := e.Timeouts(ioevent.Now()) // sends what was submitted
		sleep := 1000
		if next != ioevent.Never {
			sleep = min(sleep, int(time.Duration(next-ioevent.Now())/time.Millisecond)+1)
		}
		n, err := unix.EpollWait(epoll, events, max(0, sleep))
		if err != nil && err != unix.EINTR {
			log.Fatal(err)
		}
		for range n {
			e.IOEvent(ioevent.Now())
		}
	}
	// Unordered output:
	// www.example.com NOERROR
	// nosuch.example.com NXDOMAIN
}
