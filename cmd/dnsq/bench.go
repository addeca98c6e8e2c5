package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// benches is the table of what can be measured.
func benches(e *environment) []*cobra.Command {
	list := []*cobra.Command{benchEngineCommand(e)}
	all := labBenches(e)
	for _, b := range all {
		list = append(list, labCommand(e, b))
	}
	return append(list, benchAllCommand(e, all), floodCommand(e))
}

// benchCommand measures this machine and this library.
func benchCommand(e *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "measure this library and this machine",
		RunE: func(c *cobra.Command, args []string) error {
			var names []string
			for _, b := range c.Commands() {
				if !b.Hidden {
					names = append(names, b.Name())
				}
			}
			if len(args) > 0 {
				return usagef("bench %s: there is no such bench; there are: %s", args[0], strings.Join(names, " "))
			}
			return usagef("bench: say which: %s", strings.Join(names, " "))
		},
	}
	c.AddCommand(benches(e)...)
	return c
}
