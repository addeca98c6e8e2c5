package wire

import "fmt"

// FormatError says what is wrong with a message. Being a constant string it costs no allocation, however many bad messages come in.
type FormatError string

func (e FormatError) Error() string { return "malformed message: " + string(e) }

// What Check and Walker report.
const (
	ErrHeader   FormatError = "no room for a header"
	ErrQuestion FormatError = "bad or missing question"
	ErrRecord   FormatError = "bad or missing record"
	ErrName     FormatError = "bad domain name"
	ErrData     FormatError = "record data does not fit its type"
	ErrOPT      FormatError = "more than one OPT record"
)

// NameError says why a name in presentation form has no wire form.
type NameError struct {
	Name   string // as given
	Reason string // what is wrong and what would be right
}

func (e *NameError) Error() string { return fmt.Sprintf("bad domain name %q: %s", e.Name, e.Reason) }
