package backend

// table is the order of preference.
func table() []Backend {
	return []Backend{
		{"recvmmsg", probeRecvmmsg, openRecvmmsg, dialTCP},
		{"recvfrom", probeRecvfrom, openRecvfrom, dialTCP},
		{"net", probeNet, openNet, dialNet},
	}
}
