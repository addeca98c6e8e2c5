package result

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// Write writes r as JSON, with the schema's name.
func Write(w io.Writer, r *Result) error {
	named := *r
	named.Schema = Schema
	named.noNulls()
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(&named); err != nil {
		return fmt.Errorf("write %s: %w", Schema, err)
	}
	return nil
}

// noNulls gives lists that are nil their empty form, so that a reader needs one case less.
func (r *Result) noNulls() {
	empty(&r.Command)
	empty(&r.Plan.Servers)
	empty(&r.Reasons)
	empty(&r.Types)
	empty(&r.Targets)
	empty(&r.Shards)
	empty(&r.BySecond)
	r.Types = append([]TypeRow{}, r.Types...) // the caller's stay as they are
	for i := range r.Types {
		if r.Types[i].Rcodes == nil {
			r.Types[i].Rcodes = map[string]uint64{}
		}
	}
}

func empty[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// Read reads what Write wrote. The name of what is read is for its errors.
func Read(in io.Reader, name string) (*Result, error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var kind struct{ Schema any }
	if err := json.Unmarshal(text, &kind); err != nil {
		return nil, fmt.Errorf("%s: not the JSON of a load run (schema %q): %w", name, Schema, err)
	}
	switch kind.Schema {
	case Schema:
	case nil:
		return nil, fmt.Errorf("%s: no schema is named, want %q", name, Schema)
	default:
		return nil, fmt.Errorf("%s: schema %q, want %q", name, fmt.Sprint(kind.Schema), Schema)
	}
	r := new(Result)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: not as schema %q has it: %w", name, Schema, err)
	}
	return r, nil
}

// ReadFile reads a file that Write wrote.
func ReadFile(path string) (*Result, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err // it names the file
	}
	defer f.Close()
	return Read(f, path)
}
