package wire

import "encoding/binary"

// Section is the part of a message that a record stands in.
type Section uint8

// The sections behind the question, in their order.
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

// Walk starts at the first record of msg. Of the records it looks only at the bounds of names and data: a message that did not
// pass Check may be walked, its names and data are then as doubtful as before.
func Walk(msg []byte) (w Walker) {
	var h Header
	w.start(msg, &h)
	return w
}

// start is Walk in place. It fills in the header.
func (w *Walker) start(msg []byte, h *Header) {
	if !h.read(msg) {
		w.err = ErrHeader
		return
	}
	off := HeaderLen
	for range h.QD {
		end, ok := SkipName(msg, off)
		if !ok || end+4 > len(msg) {
			w.err = ErrQuestion
			return
		}
		off = end + 4
	}
	w.msg, w.off = msg, off
	w.left[Answer], w.left[Authority], w.left[Additional] = h.AN, h.NS, h.AR
}

// Next returns the next record, and false behind the last one or where the message is broken.
func (w *Walker) Next() (r Record, ok bool) {
	ok = w.next(&r)
	return r, ok
}

// next is Next into r, which spares copying a record that is looked at once.
func (w *Walker) next(r *Record) bool {
	for w.left[w.section] == 0 {
		if w.section == Additional {
			return false
		}
		w.section++
	}
	w.left[w.section]--
	if !r.read(w.msg, w.off) {
		w.err = ErrRecord
		return false
	}
	r.Section = w.section
	w.off = r.End
	return true
}

// Err says what ended the walk, nil for the end of the message.
func (w *Walker) Err() error { return w.err }

// read takes over the record at off of msg, the Section apart.
func (r *Record) read(msg []byte, off int) bool {
	fixed, _ := nameEnd(msg, off)
	if fixed < 0 || fixed+recordFixed > len(msg) {
		return false
	}
	f := msg[fixed : fixed+recordFixed]
	r.Owner = off
	r.Type = binary.BigEndian.Uint16(f)
	r.Class = binary.BigEndian.Uint16(f[2:])
	r.TTL = binary.BigEndian.Uint32(f[4:])
	r.Data = fixed + recordFixed
	r.End = r.Data + int(binary.BigEndian.Uint16(f[8:]))
	return r.End <= len(msg)
}
