package main

import (
	"errors"
	"io"
	"os"
)

// A loadFile is one that the result is written to, once it is there.
type loadFile struct {
	*os.File
	write func(io.Writer) error
}

// loadFiles are those that a run was asked to write. They are made before anything is measured in vain.
type loadFiles []loadFile

// add makes a file, unless path is "".
func (l *loadFiles) add(path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	*l = append(*l, loadFile{file, write})
	return nil
}

// finish writes all of them, also where one cannot be written.
func (l *loadFiles) finish() error {
	var errs []error
	for _, f := range *l {
		errs = append(errs, f.write(f), f.Close())
	}
	*l = nil
	return errors.Join(errs...)
}

// close closes those that were not written.
func (l *loadFiles) close() {
	for _, f := range *l {
		_ = f.Close() // what stopped the run is what counts
	}
}
