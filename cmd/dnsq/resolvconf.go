package main

import (
	"bufio"
	"io"
	"net/netip"
	"os"
	"strings"
)

// maxResolvConf bounds what is read of the file, in octets.
const maxResolvConf = 64 << 10

// systemServers returns the addresses of the nameserver lines of the file at path (resolv.conf(5)), those of this host where there are none or no file.
func systemServers(path string) []netip.Addr {
	var addrs []netip.Addr
	if f, err := os.Open(path); err == nil {
		addrs = parseResolvConf(f)
		f.Close()
	}
	if len(addrs) == 0 {
		return []netip.Addr{loopback4(), netip.IPv6Loopback()}
	}
	return addrs
}

// parseResolvConf returns the addresses of the nameserver lines, in order and each once. What is no address is skipped, as by every resolver.
func parseResolvConf(r io.Reader) []netip.Addr {
	var addrs []netip.Addr
	seen := map[netip.Addr]bool{}
	lines := bufio.NewScanner(io.LimitReader(r, maxResolvConf))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 || fields[0] != "nameserver" {
			continue
		}
		a, err := netip.ParseAddr(fields[1])
		if err != nil {
			continue
		}
		if a = onThisHost(a.Unmap()); !seen[a] {
			seen[a] = true
			addrs = append(addrs, a)
		}
	}
	return addrs
}

// onThisHost turns the unspecified address into the one that a reply comes from.
func onThisHost(a netip.Addr) netip.Addr {
	switch {
	case !a.IsUnspecified():
		return a
	case a.Is4():
		return loopback4()
	}
	return netip.IPv6Loopback()
}

func loopback4() netip.Addr { return netip.AddrFrom4([4]byte{127, 0, 0, 1}) }
