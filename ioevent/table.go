package ioevent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// List returns the mechanisms compiled in, the best first, whether or not they work on this machine.
func List() []Mechanism { return slices.Clone(table()) }

// Named returns the mechanism of that name; "" means the first in List whose Probe passes. The error names what there is.
func Named(name string) (Mechanism, error) {
	var names []string
	var why error
	for _, m := range table() {
		names = append(names, m.Name)
		if name != "" && m.Name != name {
			continue
		}
		err := m.Probe()
		if err == nil {
			return m, nil
		}
		if name != "" {
			return Mechanism{}, err
		}
		why = errors.Join(why, err)
	}
	if name == "" {
		return Mechanism{}, fmt.Errorf("ioevent: no poller works here: %w", why)
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
