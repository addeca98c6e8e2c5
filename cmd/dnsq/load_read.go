package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/dnsq/dnsq/internal/load/result"
)

// readResults reads files of one run each.
func readResults(names []string) ([]*result.Result, error) {
	var runs []*result.Result
	for _, name := range names {
		r, err := readResult(name)
		if err != nil {
			return nil, usageError{err}
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// readResult reads one. Its schema is looked at first: another version may have other types.
func readResult(name string) (*result.Result, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("%s is not the JSON of a run: %w", name, err)
	}
	if head.Schema != result.Schema {
		return nil, fmt.Errorf("%s is not a run: its schema is %q, that of a run %q", name, head.Schema, result.Schema)
	}
	r := &result.Result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s is not the JSON of a run: %w", name, err)
	}
	return r, nil
}
