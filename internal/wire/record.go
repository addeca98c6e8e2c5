package wire

import "encoding/binary"

// Section is the part of a message that a record stands in.
type Section uint8

const (
	Answer Section = iota
	Authority
	Additional
)

// Record is a resource record as offsets into its message: its data is msg[Data:End].
type Record struct {
	Owner       int // offset of the owner's name
	Data, End   int
	TTL         uint32 // seconds, as it came
	Type, Class uint16
	Section     Section
}

// recordFixed is the number of octets between an owner and its data: type, class, TTL and RDLENGTH (RFC 1035 3.2.1).
const recordFixed = 10

// Walker yields the records of a message in their order. It belongs to one goroutine and holds on to the message.
type Walker struct {
	msg     []byte
	off     int
	left    [3]uint16 // records to come, by section
	section Section
	err     error
}

// Walk starts at the first record of msg. It looks at the bounds of names and data only: a message that did not pass Check
// may be walked, its names and data are then as doubtful as before.
func Walk(msg []byte) Walker {
	h, ok := PeekHeader(msg)
	if !ok {
		return Walker{err: ErrHeader}
	}
	w := Walker{msg: msg, off: HeaderLen, left: [3]uint16{h.AN, h.NS, h.AR}}
	for range h.QD {
		end := nameEnd(msg, w.off)
		if end < 0 || end+4 > len(msg) {
			return Walker{err: ErrQuestion}
		}
		w.off = end + 4
	}
	return w
}

// Next returns the next record, and false behind the last one or where the message is broken.
func (w *Walker) Next() (Record, bool) {
	for w.left[w.section] == 0 {
		if w.section == Additional {
			return Record{}, false
		}
		w.section++
	}
	w.left[w.section]--
	r, ok := recordAt(w.msg, w.off)
	if !ok {
		*w = Walker{err: ErrRecord}
		return Record{}, false
	}
	r.Section = w.section
	w.off = r.End
	return r, true
}

// Err says what ended the walk, nil for the end of the message.
func (w *Walker) Err() error { return w.err }

func recordAt(msg []byte, off int) (r Record, ok bool) {
	fixed := nameEnd(msg, off)
	if fixed < 0 || fixed+recordFixed > len(msg) {
		return r, false
	}
	f := msg[fixed : fixed+recordFixed]
	r = Record{
		Owner: off,
		Type:  binary.BigEndian.Uint16(f),
		Class: binary.BigEndian.Uint16(f[2:]),
		TTL:   binary.BigEndian.Uint32(f[4:]),
		Data:  fixed + recordFixed,
		End:   fixed + recordFixed + int(binary.BigEndian.Uint16(f[8:])),
	}
	return r, r.End <= len(msg)
}
