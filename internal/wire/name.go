package wire

const (
	maxLabel = 63  // octets of a label (RFC 1035 2.3.4)
	maxName  = 255 // octets of a name, length octets and root included
	maxHops  = 127 // a name of 255 octets has at most 127 labels, so an honest one needs no more pointers
)

// SkipName returns the offset behind the name at off. It is ok only if the whole name is good, including what it points to.
func SkipName(msg []byte, off int) (next int, ok bool) {
	next, whole := nameEnd(msg, off)
	octets := next - off
	for hops, end := 0, next; !whole; hops++ {
		if end < 0 || hops == maxHops || octets > maxName+1 {
			return 0, false
		}
		target, ok := follow(msg, end-2, off)
		if !ok {
			return 0, false
		}
		off = target
		end, whole = nameEnd(msg, off)
		octets += end - off - 2 // the pointer's two are not the name's
	}
	return next, octets <= maxName
}

// nameEnd returns the offset behind the name at off without following a pointer, and whether it is whole without. The offset is -1
// if there is no name. Whether it is too long is for the caller to ask.
func nameEnd(msg []byte, off int) (end int, whole bool) {
	for uint(off) < uint(len(msg)) {
		n := int(msg[off])
		switch {
		case n == 0:
			return off + 1, true
		case n >= 0xC0 && off+2 <= len(msg):
			return off + 2, false
		case n > maxLabel: // 0x40 and 0x80 are no label types in use (RFC 6891 5)
			return -1, false
		}
		off += n + 1
	}
	return -1, false
}

// follow returns where the pointer at off leads (RFC 1035 4.1.4), which stands behind labels that begin at start. It has to lead to before
// these, so that no loop is possible, and no name begins inside the header.
func follow(msg []byte, off, start int) (target int, ok bool) {
	target = int(msg[off]&0x3F)<<8 | int(msg[off+1])
	return target, HeaderLen <= target && target < start
}

// labels reads the labels of a name, through compression pointers.
type labels struct {
	msg    []byte
	off    int // of the next length octet
	start  int // where the labels being read began
	octets int // wire octets so far, as if uncompressed
	hops   int
}

func labelsAt(msg []byte, off int) labels { return labels{msg: msg, off: off, start: off} }

// label returns the next label as part of the message, empty at the root.
func (l *labels) label() (label []byte, ok bool) {
	for uint(l.off) < uint(len(l.msg)) {
		n := int(l.msg[l.off])
		switch {
		case n == 0:
			return nil, true
		case n <= maxLabel:
			from, to := l.off+1, l.off+1+n
			l.octets += n + 1
			if to > len(l.msg) || l.octets >= maxName {
				return nil, false
			}
			l.off = to
			return l.msg[from:to], true
		case n < 0xC0 || !l.hop():
			return nil, false
		}
	}
	return nil, false
}

func (l *labels) hop() bool {
	if l.off+2 > len(l.msg) || l.hops == maxHops {
		return false
	}
	target, ok := follow(l.msg, l.off, l.start)
	l.off, l.start = target, target
	l.hops++
	return ok
}

// NamesEqual reports whether the name at off1 of msg1 and the one at off2 of msg2 are equal, ASCII letters in either case (RFC 4343).
// It follows pointers. A bad name equals none.
func NamesEqual(msg1 []byte, off1 int, msg2 []byte, off2 int) bool {
	l1, l2 := labelsAt(msg1, off1), labelsAt(msg2, off2)
	for {
		label1, ok1 := l1.label()
		label2, ok2 := l2.label()
		if !ok1 || !ok2 || !equalFold(label1, label2) {
			return false
		}
		if len(label1) == 0 {
			return true
		}
	}
}

// equalFold compares octets, 'A' to 'Z' equal to 'a' to 'z' and nothing else folded.
func equalFold(a, b []byte) bool {
	if len(a) != len(b) {
		return false
	}
	for i, c := range a {
		if c != b[i] && lower(c) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
