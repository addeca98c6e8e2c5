package wire

// Info is what Check learned about a message. Without an OPT record, the EDNS fields are zero.
type Info struct {
	Header
	Rcode    uint16 // with its EDNS extension (RFC 6891 6.1.3)
	OPT      bool   // there is an OPT record in the additional section, owned by the root
	UDPSize  uint16 // octets that the sender takes over UDP, at least 512 (RFC 6891 6.2.3)
	DNSSECOK bool
	Version  uint8 // of EDNS
	End      int   // offset behind the last record; what follows is no part of the message
}

// Check passes once over the whole of msg and returns an error, which is a FormatError, unless it is well formed: every name good,
// the data of every record of a known type exactly as that type has it, no record missing, at most one OPT record. Octets behind the
// last record are accepted, see Info.End. It does not allocate, and time is bounded by the length of msg, whatever is in it.
func Check(msg []byte) (info Info, err error) {
	err = info.Check(msg)
	return info, err
}

// Check is the function of that name in place, which spares copying: see Header.read.
func (info *Info) Check(msg []byte) error {
	var w Walker
	*info = Info{}
	w.start(msg, &info.Header)
	info.Rcode = uint16(info.Header.Rcode())
	var r Record
	for w.next(&r) {
		switch {
		case !checkOwner(msg, r.Owner, info.QD):
			return ErrName
		case !checkData(msg, &r):
			return ErrData
		case r.Type != typeOPT || r.Section != Additional || msg[r.Owner] != 0:
			continue
		case info.OPT:
			return ErrOPT
		}
		info.setOPT(&r)
	}
	info.End = w.off
	return w.err
}

// Peek reads the header alone, of a message that need not be whole, and takes all of msg for it. It is not ok if msg has none.
func (info *Info) Peek(msg []byte) (ok bool) {
	*info = Info{End: len(msg)}
	ok = info.Header.read(msg)
	info.Rcode = uint16(info.Header.Rcode())
	return ok
}

// checkOwner checks the name at off, the bounds of which are known. Most owners point to the question, which is checked already.
func checkOwner(msg []byte, off int, questions uint16) bool {
	if msg[off] == 0xC0 && msg[off+1] == HeaderLen && questions != 0 {
		return true
	}
	_, ok := SkipName(msg, off)
	return ok
}
