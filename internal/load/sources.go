package load

import (
	"fmt"
	"net/netip"
	"strings"
)

// maxSources bounds the addresses that a prefix may stand for.
const maxSources = 65536

// ParseSources reads source addresses: addresses and prefixes, separated by commas. A prefix stands for each of its addresses; of an IPv4 prefix shorter
// than /31 the first and the last are left out, which are the network's and the broadcast's.
func ParseSources(text string) (list []netip.Addr, err error) {
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		if addr, err := netip.ParseAddr(part); err == nil {
			list = append(list, addr.Unmap())
			continue
		}
		prefix, err := netip.ParsePrefix(part)
		if err != nil {
			return nil, fmt.Errorf("source %q is neither an address nor a prefix such as 192.0.2.0/28", part)
		}
		prefix = prefix.Masked()
		host := prefix.Addr().BitLen() - prefix.Bits()
		if host > 16 || len(list)+1<<host > maxSources {
			return nil, fmt.Errorf("source %s has more than %d addresses: give a longer prefix", part, maxSources)
		}
		list = append(list, expand(prefix, host)...)
	}
	return list, nil
}

func expand(prefix netip.Prefix, host int) (list []netip.Addr) {
	for a := prefix.Addr(); a.IsValid() && prefix.Contains(a); a = a.Next() {
		list = append(list, a)
	}
	if prefix.Addr().Is4() && host > 1 {
		list = list[1 : len(list)-1]
	}
	return list
}
