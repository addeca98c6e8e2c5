package resolver_test

import "testing"

// TestLocalOnLoopback: on every poller and backend. The whole of 127.0.0.0/8 is this machine's.
func TestLocalOnLoopback(t *testing.T) {
	onLoopback(t, func(t *testing.T, w *world) { leavesFrom(t, w, "127.0.0.2", "127.0.0.3") })
}
