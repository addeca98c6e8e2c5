package backend

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// List returns the backends compiled in, the best first, whether or not they work on this machine.
func List() []Backend { return slices.Clone(table()) }

// Named returns the backend of that name; "" means the first in List whose Probe passes. The error names what there is.
func Named(name string) (Backend, error) { return named(table(), name) }

func named(list []Backend, name string) (Backend, error) {
	var names []string
	var why error
	for _, b := range list {
		names = append(names, b.Name)
		if name != "" && b.Name != name {
			continue
		}
		err := b.Probe()
		if err == nil {
			return b, nil
		}
		if name != "" {
			return Backend{}, err
		}
		why = errors.Join(why, err)
	}
	if name == "" {
		return Backend{}, fmt.Errorf("no backend works here: %w", why)
	}
	return Backend{}, fmt.Errorf("no backend %q: there are %s", name, strings.Join(names, ", "))
}
