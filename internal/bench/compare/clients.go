package main

import (
	"strconv"
	"strings"
)

// client is something to be measured.
type client struct {
	label   string
	program string   // that must have been built; "" for one from the command line
	command []string // {port}, {n} and {outstanding} are replaced
	share   int      // it makes 1/share of the queries: slow ones take as long as fast ones
}

// clients is the table of those compared, the floors first.
func clients(o options) []client {
	list := []client{
		{"floor mmsg", "floor", strings.Fields("floor {port} {n} {outstanding} mmsg"), 1},
		{"floor gso", "floor", strings.Fields("floor {port} {n} {outstanding} gso"), 1},
	}
	for _, api := range o.apis {
		command := "dnsq bench engine -s 127.0.0.1:{port} -n {n} --outstanding {outstanding} --sockets 1 --api " + api
		share := 2
		if api == "engine" || api == "submit" {
			share = 1
		}
		list = append(list, client{"dnsq " + api, "dnsq", strings.Fields(command), share})
	}
	list = append(list,
		client{"udns", "udns", strings.Fields("udns {port} {n} {outstanding}"), 3},
		client{"c-ares", "cares", strings.Fields("cares {port} {n} {outstanding}"), 3},
		client{"miekg/dns", "gopeers", strings.Fields("gopeers miekg {port} {n} {outstanding}"), 8},
		client{"net.Resolver", "gopeers", strings.Fields("gopeers net {port} {n} {outstanding}"), 10})
	return append(list, o.with...)
}

// args is the command line of one run of c.
func (c *client) args(t *tools, port, n, outstanding int) []string {
	r := strings.NewReplacer("{port}", strconv.Itoa(port), "{n}", strconv.Itoa(n), "{outstanding}", strconv.Itoa(outstanding))
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
		return max(most/10/min(c.share, 2), 1)
	}
	return max(most/c.share, 1)
}
