package wire

// AppendName appends the wire form of name to dst. The name is in presentation form (RFC 1035 5.1), taken as absolute with or without its
// final dot; \DDD is the octet with that decimal value and \X the character X itself. Other octets stand for themselves. The
// root is "."; "" is an error. After an error, which is a *NameError, dst is returned as it was.
func AppendName(dst []byte, name string) ([]byte, error) {
	if name == "." {
		return append(dst, 0), nil
	}
	if out, ok := appendPlain(dst, name); ok {
		return out, nil
	}
	start := len(dst)
	out, reason := appendLabels(dst, name)
	if reason == "" && len(out)-start > maxName {
		reason = "longer than 255 octets"
	}
	if reason != "" {
		return dst, &NameError{Name: name, Reason: reason}
	}
	return out, nil
}

// appendPlain appends a good name without escapes, as nearly all are. Its wire form is the text, one octet on, with a length in the place of each dot.
func appendPlain(dst []byte, name string) (out []byte, ok bool) {
	out = append(append(dst, 0), name...)
	labels, at := out[len(dst):], 0 // at is where the length of the label goes that we are in
	for i := range len(name) {
		switch name[i] {
		case '\\':
			return dst, false
		case '.':
			if n := i - at; n == 0 || n > maxLabel {
				return dst, false
			}
			labels[at], at = byte(i-at), i+1
		}
	}
	last := len(name) - at
	if last > maxLabel || len(name) == 0 {
		return dst, false
	}
	labels[at] = byte(last)
	if last > 0 { // no final dot
		out = append(out, 0)
	}
	return out, len(out)-len(dst) <= maxName
}

// appendLabels appends the labels and the root of a name that is not the root, or says what is wrong with it.
func appendLabels(dst []byte, name string) (out []byte, reason string) {
	if name == "" {
		return dst, `empty; the root is "."`
	}
	for rest, ok := name, true; rest != ""; {
		at := len(dst)
		dst, rest, ok = appendLabel(append(dst, 0), rest)
		switch n := len(dst) - at - 1; {
		case !ok:
			return dst, "a backslash needs three digits up to 255 or one other character behind it"
		case n == 0:
			return dst, "a label is empty; labels are separated by one dot"
		case n > maxLabel:
			return dst, "a label is longer than 63 octets"
		default:
			dst[at] = byte(n)
		}
	}
	return append(dst, 0), ""
}

// appendLabel appends the octets of name's first label and returns what stands behind its dot. It is not ok if an escape is bad.
func appendLabel(dst []byte, name string) (out []byte, rest string, ok bool) {
	for i := 0; i < len(name); i++ {
		switch c := name[i]; c {
		case '.':
			return dst, name[i+1:], true
		case '\\':
			octet, used := unescape(name[i+1:])
			if used == 0 {
				return dst, "", false
			}
			dst = append(dst, octet)
			i += used
		default:
			dst = append(dst, c)
		}
	}
	return dst, "", true
}

// unescape reads what stands behind a backslash and says how many octets of s it took, 0 if it is no escape.
func unescape(s string) (c byte, used int) {
	if s == "" {
		return 0, 0
	}
	if s[0] < '0' || s[0] > '9' {
		return s[0], 1
	}
	if len(s) < 3 {
		return 0, 0
	}
	value := 0
	for _, d := range []byte(s[:3]) {
		if d < '0' || d > '9' {
			return 0, 0
		}
		value = value*10 + int(d-'0')
	}
	if value > 255 {
		return 0, 0
	}
	return byte(value), 3
}

// AppendNameText appends the name at off of msg to dst in presentation form, always with its final dot. What has a meaning in a zone
// file gets a backslash, and no octet below 0x21 or above 0x7E is left as it is (RFC 1035 5.1): the text is safe to print.
// After an error dst is returned as it was.
func AppendNameText(dst []byte, msg []byte, off int) ([]byte, error) {
	out := dst
	for l := labelsAt(msg, off); ; {
		label, ok := l.label()
		if !ok {
			return dst, ErrName
		}
		if len(label) == 0 {
			break
		}
		out = appendLabelText(out, label)
	}
	if len(out) == len(dst) { // the root
		out = append(out, '.')
	}
	return out, nil
}

func appendLabelText(dst, label []byte) []byte {
	for _, c := range label {
		switch {
		case c < '!' || c > '~':
			dst = append(dst, '\\', '0'+c/100, '0'+c/10%10, '0'+c%10)
		case c == '.', c == '\\', c == '"', c == ';', c == '(', c == ')', c == '@', c == '$':
			dst = append(dst, '\\', c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '.')
}
