package main

import (
	"strconv"
	"strings"
)

// client is something to be measured.
type client struct {
	label   string
	program string   // that must have been built; "" for one from the command line
	command []string // {port}, {n}, {outstanding} and {sockets} are replaced
	share   int      // it makes 1/share of the queries: slow ones take as long as fast ones
	most    int      // outstanding: beyond it runs out of IDs or descriptors; 0: no bound
}

// mostOnSocket is how many queries are kept outstanding on one socket: there are 65,536 IDs, and free ones have to be found.
const mostOnSocket = 40_000

// clients is the table of those compared, the floors first.
func clients(o options) []client {
	list := []client{
		{"floor mmsg", "floor", strings.Fields("floor {port} {n} {outstanding} mmsg"), 1, 0},
		{"floor gso", "floor", strings.Fields("floor {port} {n} {outstanding} gso"), 1, 0},
	}
	const bench = "dnsq bench engine -s 127.0.0.1:{port} -n {n} --outstanding {outstanding} --timeout 30s "
	for _, api := range o.apis {
		command := bench + "--sockets {sockets} --api " + api
		share, most := 2, 100_000 // a goroutine for each
		if api == "engine" || api == "submit" {
			share, most = 1, 0
		}
		list = append(list, client{"dnsq " + api, "dnsq", strings.Fields(command), share, most})
	}
	list = append(list,
		client{"dnsq, 64 sockets", "dnsq", strings.Fields(bench + "--sockets 64"), 1, 0}, // the pool that a server off loopback gets
		client{"udns", "udns", strings.Fields("udns {port} {n} {outstanding}"), 3, 10_000},
		client{"c-ares", "cares", strings.Fields("cares {port} {n} {outstanding}"), 3, 10_000},
		client{"miekg/dns", "gopeers", strings.Fields("gopeers miekg {port} {n} {outstanding}"), 8, 10_000},
		client{"net.Resolver", "gopeers", strings.Fields("gopeers net {port} {n} {outstanding}"), 10, 10_000})
	return append(list, o.with...)
}

// args is the command line of one run of c.
func (c *client) args(t *tools, port, n, outstanding int) []string {
	r := strings.NewReplacer("{port}", strconv.Itoa(port), "{n}", strconv.Itoa(n), "{outstanding}", strconv.Itoa(outstanding),
		"{sockets}", strconv.Itoa(sockets(outstanding)))
	var args []string
	for _, a := range c.command {
		args = append(args, r.Replace(a))
	}
	if c.program != "" {
		args[0] = t.path(c.program)
	}
	return args
}

// queries is how many c makes a run where the fastest make so many. One at a time takes ten times as long.
func (c *client) queries(most, outstanding int) int {
	if outstanding == 1 {
		return max(most/10/min(c.share, 2), 2)
	}
	return max(most/c.share, 2*outstanding)
}

// sockets is how many dnsq is told to use: one, or enough for the IDs, picked at random.
func sockets(outstanding int) int {
	if outstanding <= mostOnSocket {
		return 1
	}
	return max(16, 32*outstanding/1_000_000)
}
