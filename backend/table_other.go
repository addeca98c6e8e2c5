//go:build !unix

package backend

// table is the order of preference.
func table() []Backend {
	return []Backend{
		{"net", probeNet, openNet, dialNet, false},
	}
}
