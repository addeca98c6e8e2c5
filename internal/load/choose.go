package load

import (
	"fmt"
	"strings"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// choose fills in the backend and the poller, so that a result can name them.
func (p *Plan) choose() (err error) {
	if p.Poller.Open == nil {
		if p.Poller, err = ioevent.ForLatency(ioevent.Sleep); err != nil {
			return fmt.Errorf("--poller: %w", err)
		}
	}
	if p.Backend.Open != nil {
		return nil
	}
	if p.Poller.Files {
		p.Backend, err = backend.Named("")
		return err
	}
	for _, b := range backend.List() {
		if !b.Descriptors && b.Probe() == nil {
			p.Backend = b
			return nil
		}
	}
	return fmt.Errorf("--poller %s watches no descriptors, and no backend works here without", p.Poller.Name)
}

// trains reports whether the backend named sends several datagrams as one.
func trains(name string) bool { return strings.Contains(name, "gso") }
