package queries

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
)

// Open reads the list in the file at path, "-" for standard input.
func Open(path string, o Options) (*List, error) {
	if path == "-" {
		return Read(os.Stdin, "standard input", o)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var size int64
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	return open(f, path, size, o)
}

// Read reads the list in r, whose errors call it by name. What gzip made is unpacked.
func Read(r io.Reader, name string, o Options) (*List, error) { return open(r, name, 0, o) }

// open is Read of an input of that size, 0 if nobody knows.
func open(r io.Reader, name string, size int64, o Options) (*List, error) {
	l := &List{name: name, rounds: o.Rounds, size: size}
	in := bufio.NewReaderSize(r, 1<<16)
	if start, _ := in.Peek(2); bytes.Equal(start, []byte{0x1F, 0x8B}) {
		unzip, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		in = bufio.NewReaderSize(unzip, 1<<16)
	}
	err := l.read(in, &o)
	if err == nil && l.Len() == 0 {
		err = l.empty(&o)
	}
	if err != nil {
		return nil, err
	}
	return l, nil
}

func (l *List) read(in *bufio.Reader, o *Options) error {
	start, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	if o.Format == Detect {
		o.Format = detect(start)
	}
	switch o.Format {
	case Capture:
		return l.readCapture(in, o)
	case Stream:
		return l.readStream(in, o)
	case Update:
		return l.readLines(in, o, newUpdates(l, o))
	}
	return l.readLines(in, o, newText(l, o))
}

// detect tells a format by its first octets. Those of pcap are its magic number in either order, in microseconds and in nanoseconds; those of
// pcapng are its section header's type. A message has less than 256 octets, so that a stream of them begins with 0, which no text does.
func detect(start []byte) Format {
	switch string(start) {
	case "\xA1\xB2\xC3\xD4", "\xD4\xC3\xB2\xA1", "\xA1\xB2\x3C\x4D", "\x4D\x3C\xB2\xA1", "\x0A\x0D\x0D\x0A":
		return Capture
	}
	if len(start) > 0 && start[0] == 0 {
		return Stream
	}
	return Text
}

// A lineReader makes queries of the lines of a text.
type lineReader interface {
	line(string) error
	end() error
}

func (l *List) readLines(r io.Reader, o *Options, to lineReader) error {
	in := newLines(r)
	for {
		line, err := in.next()
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		if l.size > 0 && in.done >= blockSize {
			l.reserve(in.done)
		}
		ended := err == io.EOF
		if ended {
			err = to.end()
		} else {
			err = to.line(line)
		}
		if err != nil && (!o.SkipBad || err == errFull) {
			return fmt.Errorf("%s:%d: %w", l.name, in.number, err)
		}
		if err != nil {
			l.skipped.add("bad lines", 1)
		}
		if ended {
			return nil
		}
	}
}

// empty says that there is no query in the input and what one looks like.
func (l *List) empty(o *Options) error {
	skipped := ""
	if len(l.skipped) > 0 {
		skipped = " (skipped: " + l.skipped.String() + ")"
	}
	want := writeSuch
	switch o.Format {
	case Capture:
		want = fmt.Sprintf("there have to be packets to UDP port %d with a DNS query", o.port())
	case Stream:
		want = "there has to be a message behind its length in two octets"
	case Update:
		want = "write blocks of a zone, what to change, and send"
	}
	return fmt.Errorf("%s has no queries%s; %s", l.name, skipped, want)
}
