package ioevent_test

import (
	"testing"

	"github.com/dnsq/dnsq/internal/require"
	"github.com/dnsq/dnsq/ioevent"
	"github.com/dnsq/dnsq/ioevent/ioeventtest"
)

func TestMechanisms(t *testing.T) {
	tested := 0
	for _, m := range ioevent.List() {
		if name := require.Poller(); name == "" || name == m.Name {
			t.Run(m.Name, func(t *testing.T) { ioeventtest.TestMechanism(t, m) })
			tested++
		}
	}
	if tested == 0 {
		t.Errorf("no poller is called %q", require.Poller())
	}
}
