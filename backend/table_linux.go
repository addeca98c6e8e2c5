package backend

import "github.com/dnsq/dnsq/internal/sys"

// table is the order of preference.
func table() []Backend {
	return []Backend{
		{"gso", probeGSO, openGSO, dialTCP, true},
		{"recvmmsg", probeRecvmmsg, openRecvmmsg, dialTCP, true},
		{"recvfrom", probeRecvfrom, openRecvfrom, dialTCP, true},
		uring{sys.OpenRing, (*sys.Ring).OpenBuffers}.backend(),
		{"net", probeNet, openNet, dialNet, false},
	}
}
