package ioevent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// List returns the mechanisms compiled in, the best first, whether or not they work on this machine. Those that do not sleep come last: they
// are for whoever asks for them.
func List() []Mechanism { return slices.Clone(table()) }

// Named returns the mechanism of that name; "" means the first in List that sleeps and whose Probe passes. The error names what there is.
func Named(name string) (Mechanism, error) {
	if name == "" {
		return ForLatency(Sleep)
	}
	var names []string
	for _, m := range table() {
		if m.Name == name {
			if err := m.Probe(); err != nil {
				return Mechanism{}, err
			}
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Mechanism{}, fmt.Errorf("ioevent: no poller %q: there are %s", name, strings.Join(names, ", "))
}

// mechanism makes a table entry that is probed by opening a poller.
func mechanism(name string, edge bool, open func(*Counters) (Poller, error)) Mechanism {
	probe := func() error {
		p, err := open(new(Counters))
		if err != nil {
			return fmt.Errorf("ioevent: poller %s: %w: %w", name, errors.ErrUnsupported, err)
		}
		return p.Close()
	}
	return Mechanism{Name: name, Edge: edge, Files: true, Probe: probe, Open: open}
}

// at is m with another Latency than Sleep.
func (m Mechanism) at(l Latency) Mechanism {
	m.Latency = l
	return m
}
