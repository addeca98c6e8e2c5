package main

import (
	"os"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

// labFiles are those that a bench was asked to write, nil where it was not.
type labFiles struct{ json, svg *os.File }

func (f *labFlags) open() (out labFiles, err error) {
	for _, one := range []struct {
		path string
		file **os.File
	}{{f.json, &out.json}, {f.svg, &out.svg}} {
		if one.path == "" {
			continue
		}
		if *one.file, err = os.Create(one.path); err != nil {
			out.close()
			return out, err
		}
	}
	return out, nil
}

func (o labFiles) close() {
	for _, file := range []*os.File{o.json, o.svg} {
		if file != nil {
			_ = file.Close() // a second time, unless something failed
		}
	}
}

// write fills them: an envelope for one bench, a list of them for all.
func (o labFiles) write(reports []*lab.Report) error {
	var plots []lab.Plot
	for _, r := range reports {
		plots = append(plots, r.Results.Plots()...)
	}
	if err := fill(o.json, func() ([]byte, error) { return lab.JSON(reports) }); err != nil {
		return err
	}
	return fill(o.svg, func() ([]byte, error) { return lab.SVG(plots) })
}

func fill(file *os.File, text func() ([]byte, error)) error {
	if file == nil {
		return nil
	}
	b, err := text()
	if err == nil {
		_, err = file.Write(b)
	}
	if err != nil {
		return err
	}
	return file.Close()
}
