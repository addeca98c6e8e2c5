package vectors

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Load returns all vectors, in the order of their IDs. It ends the test if they cannot be read.
func Load(tb testing.TB) []*Vector {
	tb.Helper()
	text, err := read()
	if err != nil {
		tb.Fatal(err)
	}
	var records []record
	if err := json.Unmarshal(text, &records); err != nil {
		tb.Fatalf("vectors.json: %v", err)
	}
	vectors := make([]*Vector, 0, len(records))
	for _, r := range records {
		v, err := r.vector()
		if err != nil {
			tb.Fatalf("vectors.json: %s: %v", r.ID, err)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// read looks for the file from the directory of the test's package upwards, as far as the module reaches.
func read() ([]byte, error) {
	dir, err := os.Getwd()
	for err == nil {
		text, readErr := os.ReadFile(filepath.Join(dir, "testdata", "vectors.json"))
		if !errors.Is(readErr, fs.ErrNotExist) {
			return text, readErr
		}
		if _, statErr := os.Stat(filepath.Join(dir, "go.mod")); statErr == nil || dir == filepath.Dir(dir) {
			return nil, readErr
		}
		dir = filepath.Dir(dir)
	}
	return nil, err
}
