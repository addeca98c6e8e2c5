package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/resolver"
)

// pathWait is for how long the one reply is waited for.
const pathWait = 2 * time.Second

// pathTo asks a server for . NS, once, and says what the reply tells of the way it came; "" for no server. With errNoReply there is a text, too.
func pathTo(e *environment, to string) (string, error) {
	if to == "" {
		return "", nil
	}
	s := &session{environment: e}
	defer s.close()
	server, err := s.server(strings.TrimPrefix(to, "@"), resolver.DefaultPort)
	if err != nil {
		return "", err
	}
	query, err := new(dns.Msg).SetQuestion(".", dns.TypeNS).Pack()
	if err != nil {
		return "", err
	}
	p, err := machine.PathTo(server.Addr, query, pathWait)
	_, busy := ioevent.ForLatency(ioevent.Busy)
	text := fmt.Sprintf("%v: %s", server.Addr, pathText(p, err, busy))
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return text, fmt.Errorf("%v: %w in %v", server.Addr, errNoReply, pathWait)
	}
	return text, nil
}

// pathText says whether busy polling can work on a path, where err is why nothing is known of it and busy why there is no poller for it.
func pathText(p machine.Path, err, busy error) string {
	queue := fmt.Sprintf("interface %s, NAPI id %d: ", printable(p.Interface), p.NAPI)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return "no reply: only one tells whether its device can be polled"
	case err != nil:
		return "not known whether its device can be polled: " + printable(err.Error())
	case p.Loopback:
		return queue + "busy polling cannot work, loopback has no device to poll; poller spin needs none"
	case p.NAPI == 0:
		return queue + "busy polling cannot work, the device received without NAPI; poller spin needs none"
	case busy != nil:
		return queue + "busy polling can work by busy_poll and busy_read, not by poller busy"
	}
	return queue + "busy polling can work, take poller busy"
}
