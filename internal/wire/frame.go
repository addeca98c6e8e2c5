package wire

import "encoding/binary"

const (
	prefixLen  = 2 // octets of length before a message on a stream
	maxMessage = 1<<16 - 1
	idleFrames = 4096 // octets of buffer that a quiet stream keeps
	calmFrames = 64   // small frames in a row after which a larger buffer is given back
)

// AppendFrame appends msg to dst as it goes over a stream: behind its length in two octets (RFC 1035 4.2.2). It panics if msg is
// longer than 65,535 octets, which no message is.
func AppendFrame(dst, msg []byte) []byte {
	if len(msg) > maxMessage {
		panic("wire: message longer than 65,535 octets")
	}
	dst = binary.BigEndian.AppendUint16(dst, uint16(len(msg)))
	return append(dst, msg...)
}

// Frames takes messages out of a stream, however that was cut into reads. The zero value is ready; it must not be copied once used,
// and belongs to one goroutine. It holds 4,096 octets, more only as long as there are messages that need it, never above 65,537.
//
// Read into what Space returns, tell Wrote how much came, and take messages from Next until there is none.
type Frames struct {
	small []byte // kept for good
	buf   []byte // small, or larger for a while
	r, w  int    // buf[r:w] was read and not yet taken
	calm  int    // frames in a row that small would have held
}

// Space returns where to read more of the stream to; what Next returned before is gone. It is empty only while Next has a message.
func (f *Frames) Space() []byte {
	if f.small == nil {
		f.small = make([]byte, idleFrames)
		f.buf = f.small
	}
	buf := f.buf
	switch need := f.need(); {
	case need > len(buf):
		buf = make([]byte, need)
	case f.calm >= calmFrames && need <= len(f.small) && f.w-f.r <= len(f.small):
		buf = f.small
	}
	f.w = copy(buf, f.buf[f.r:f.w])
	f.r, f.buf = 0, buf
	return buf[f.w:]
}

// Wrote says that n octets were read to the start of Space.
func (f *Frames) Wrote(n int) { f.w += n }

// Next returns the next whole message, valid until Space is called. An empty frame is an empty message, and ok.
func (f *Frames) Next() (msg []byte, ok bool) {
	need := f.need()
	if need == 0 || f.w-f.r < need {
		return nil, false
	}
	f.calm++
	if need > len(f.small) {
		f.calm = 0
	}
	msg = f.buf[f.r+prefixLen : f.r+need]
	f.r += need
	return msg, true
}

// need is the number of octets of the frame at r, 0 while its length is not known.
func (f *Frames) need() int {
	if f.w-f.r < prefixLen {
		return 0
	}
	return prefixLen + int(binary.BigEndian.Uint16(f.buf[f.r:]))
}
