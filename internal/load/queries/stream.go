package queries

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/dnsq/dnsq/internal/wire"
)

// readStream reads messages behind their lengths.
func (l *List) readStream(in io.Reader, o *Options) error {
	var size [2]byte
	buf := make([]byte, 1<<16)
	for n, off := 1, 0; ; n++ {
		if _, err := io.ReadFull(in, size[:]); err == io.EOF {
			return nil
		} else if err != nil {
			return l.cut(n, off, err)
		}
		msg := buf[:binary.BigEndian.Uint16(size[:])]
		if _, err := io.ReadFull(in, msg); err != nil {
			return l.cut(n, off, err)
		}
		if err := l.message(msg); err != nil {
			if !o.SkipBad || err == errFull {
				return fmt.Errorf("%s: message %d, at octet %d: %w", l.name, n, off, err)
			}
			l.skipped.add("bad messages", 1)
		}
		off += 2 + len(msg)
	}
}

func (l *List) cut(n, off int, err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
		return fmt.Errorf("%s: message %d, at octet %d: the input ends in it; is it in the format of dnsperf -B?", l.name, n, off)
	}
	return fmt.Errorf("%s: %w", l.name, err)
}

// Why a message cannot be sent as a query.
var (
	errNoQuestion = errors.New("no DNS message with a question in it")
	errResponse   = errors.New("a response; queries have QR not set")
)

// message adds a message that was made elsewhere, with ID 0.
func (l *List) message(msg []byte) error {
	end, ok := wire.QuestionEnd(msg)
	if !ok {
		return errNoQuestion
	}
	h, _ := wire.PeekHeader(msg)
	if h.Response() {
		return errResponse
	}
	from := len(l.slab)
	l.slab = append(l.slab, msg...)
	wire.SetID(l.slab[from:], 0)
	return l.end(from, binary.BigEndian.Uint16(msg[end-4:]), h.Opcode())
}
