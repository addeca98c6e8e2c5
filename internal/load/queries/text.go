package queries

import (
	"errors"
	"fmt"

	"github.com/dnsq/dnsq/internal/wire"
)

const writeSuch = "write a name and a type such as: example.com A"

// text makes queries of lines.
type text struct {
	list     *List
	options  *Options
	plain    frame  // of lines that ask for nothing themselves
	own, opt []byte // the frame of one that does
}

func newText(l *List, o *Options) *text { return &text{list: l, options: o, plain: o.Ask.frame()} }

// line adds the query of one line, if there is any in it.
func (t *text) line(line string) error {
	name, rest := word(line)
	if name == "" || name[0] == '#' {
		return nil
	}
	typ, class, rest, err := t.question(rest)
	if err != nil {
		return err
	}
	f, err := t.frame(rest)
	if err != nil {
		return err
	}
	from := len(t.list.slab)
	slab, err := appendQuery(t.list.slab, f, name, typ, class)
	if err == nil {
		err = ascii(name)
	}
	if err != nil {
		return nameError(name, err)
	}
	t.list.slab = slab
	return t.list.end(from, typ, 0)
}

// end is for the end of the input, which may come behind any line.
func (t *text) end() error { return nil }

// question reads class and type. Neither needs to be there.
func (t *text) question(s string) (typ, class uint16, rest string, err error) {
	class = classIN
	first, behind := word(s)
	if first == "" || first[0] == '+' {
		return t.options.typ(), class, s, nil
	}
	if c, ok := parseClass(first); ok {
		class = c
		if first, behind = word(behind); first == "" {
			return 0, 0, "", errors.New("a class has no type behind it; " + writeSuch)
		}
	}
	if typ, err = ParseType(first); err != nil {
		return 0, 0, "", fmt.Errorf("%w; %s", err, writeSuch)
	}
	return typ, class, behind, nil
}

// frame is the plain one, unless there are words behind the type.
func (t *text) frame(s string) (frame, error) {
	w, rest := word(s)
	if w == "" {
		return t.plain, nil
	}
	ask := t.options.Ask
	for ; w != ""; w, rest = word(rest) {
		if err := ask.word(w); err != nil {
			return frame{}, err
		}
	}
	t.own, t.opt = ask.appendHead(t.own[:0]), ask.appendTail(t.opt[:0])
	return frame{t.own, t.opt}, nil
}

// word is Set, and knows the two flags that kxdpgun has behind the type.
func (a *Ask) word(w string) error {
	switch {
	case w == "E":
		a.EDNS = true
	case w == "D":
		a.DO = true
	case w[0] != '+':
		return fmt.Errorf("%.40q stands behind the type; there may be %s", w, attributes)
	default:
		return a.Set(w)
	}
	return nil
}

// ascii refuses what is sent as it stands and was hardly meant so.
func ascii(name string) error {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 0x80:
			return errors.New("not ASCII; write it in its xn-- form")
		case c < '!' || c == 0x7F:
			return fmt.Errorf("octet %d is a control character; write it as \\%03d", i+1, c)
		}
	}
	return nil
}

// nameError quotes no more of a name than one can read.
func nameError(name string, err error) error {
	if better := ascii(name); better != nil {
		err = better
	}
	return fmt.Errorf("name %s: %w", short(name), reasonOf(err))
}

// reasonOf leaves out the name, which may be long.
func reasonOf(err error) error {
	var bad *wire.NameError
	if errors.As(err, &bad) {
		return errors.New(bad.Reason)
	}
	return err
}

func short(name string) string {
	const most = 60
	if len(name) <= most {
		return fmt.Sprintf("%q", name)
	}
	return fmt.Sprintf("%q and %d more", name[:most], len(name)-most)
}
