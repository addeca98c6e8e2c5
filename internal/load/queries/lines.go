package queries

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// blockSize is how much of a text is read at once, and more than a line may have. The first block is smaller: many inputs are.
const (
	blockSize  = 1 << 20
	firstBlock = blockSize / 64
)

// lines reads a text by blocks of whole lines. A block becomes one string, and each line is a part of it: none costs an allocation.
type lines struct {
	r      io.Reader
	buf    []byte
	begun  int    // octets at the start of buf that belong to the next block
	block  string // what is left of the current one
	size   int    // of it
	done   int    // octets of the blocks before it
	number int    // of the line that next returned
	ended  bool
}

func newLines(r io.Reader) *lines { return &lines{r: r, buf: make([]byte, firstBlock)} }

// next returns the next line without its end; a CR before that is a space. The error is io.EOF behind the last one.
func (l *lines) next() (string, error) {
	for l.block == "" {
		if l.ended {
			return "", io.EOF
		}
		if err := l.fill(); err != nil {
			return "", err
		}
	}
	l.number++
	line, rest, _ := strings.Cut(l.block, "\n")
	l.block = rest
	if l.number == 1 {
		line = strings.TrimPrefix(line, "\uFEFF")
	}
	return line, nil
}

// fill reads the next block, up to the last end of a line in it. There may be none yet.
func (l *lines) fill() error {
	n, err := io.ReadFull(l.r, l.buf[l.begun:])
	n += l.begun
	switch {
	case err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF):
		l.ended = true
		l.give(n)
		return nil
	case err != nil:
		return err
	}
	to := bytes.LastIndexByte(l.buf[:n], '\n') + 1
	if to == 0 && len(l.buf) == blockSize {
		return fmt.Errorf("line %d is longer than %d octets; a query has its own line", l.number+1, blockSize-1)
	}
	l.give(to)
	rest := l.buf[to:n]
	if len(l.buf) < blockSize {
		l.buf = make([]byte, 4*len(l.buf))
	}
	l.begun = copy(l.buf, rest)
	return nil
}

// give makes the start of buf the current block.
func (l *lines) give(n int) {
	l.done += l.size
	l.block, l.size = string(l.buf[:n]), n
}

// isSpace is true for what stands between the words of a line.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' }

// word returns the first word of s and what stands behind it. There is none left, "", also before a comment.
func word(s string) (first, rest string) {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	if s == "" || s[0] == ';' {
		return "", ""
	}
	for i := range len(s) {
		if isSpace(s[i]) {
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}
