package backend

// table is the order of preference.
func table() []Backend {
	return []Backend{
		{"gso", probeGSO, openGSO, dialTCP, true},
		{"recvmmsg", probeRecvmmsg, openRecvmmsg, dialTCP, true},
		{"recvfrom", probeRecvfrom, openRecvfrom, dialTCP, true},
		{"net", probeNet, openNet, dialNet, false},
	}
}
