//go:build unix && !linux

package backend

// table is the order of preference.
func table() []Backend {
	return []Backend{
		{"recvfrom", probeRecvfrom, openRecvfrom, dialTCP, true},
		{"net", probeNet, openNet, dialNet, false},
	}
}
