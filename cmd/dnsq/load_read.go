package main

import "github.com/dnsq/dnsq/internal/load/result"

// readResults reads files of one run each.
func readResults(names []string) ([]*result.Result, error) {
	var runs []*result.Result
	for _, name := range names {
		r, err := result.ReadFile(name)
		if err != nil {
			return nil, usageError{err}
		}
		runs = append(runs, r)
	}
	return runs, nil
}
