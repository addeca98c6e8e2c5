package queries

import (
	"bufio"
	"fmt"
)

func (l *List) readCapture(*bufio.Reader, *Options) error {
	return fmt.Errorf("%s is a capture, which cannot be read on this system; make text of it elsewhere, a name and a type a line", l.name)
}
