package queries

import (
	"errors"
	"fmt"
	"strings"

	"github.com/miekg/dns"
)

// updates makes dynamic updates of blocks of lines (RFC 2136). They mean what they do to dnsperf -u; more may be left out: see UpdateHelp.
type updates struct {
	list *List
	tail []byte   // the OPT record of each
	msg  *dns.Msg // the block being read
	bad  bool     // an error was in it
	buf  []byte
}

func newUpdates(l *List, o *Options) *updates {
	return &updates{list: l, tail: o.Ask.appendTail(nil), buf: make([]byte, dns.MaxMsgSize)}
}

func (u *updates) line(line string) error {
	command, rest := word(line)
	switch {
	case command == "" || command[0] == '#':
		return nil
	case u.msg == nil:
		err := u.begin(command, rest)
		u.bad = err != nil
		return err
	case strings.EqualFold(command, "send"):
		return u.send()
	case u.bad: // one error a block is enough
		return nil
	}
	err := u.command(strings.ToLower(command), rest)
	u.bad = err != nil
	return err
}

func (u *updates) begin(zone, rest string) error {
	u.msg = new(dns.Msg)
	if more, _ := word(rest); more != "" {
		return fmt.Errorf("%.40q stands behind the zone; a block begins with the zone alone: example.com", more)
	}
	name, err := below(zone, ".")
	if err != nil {
		return err
	}
	u.msg.SetUpdate(name)
	u.msg.Id = 0
	return nil
}

func (u *updates) command(command, rest string) error {
	section, read := &u.msg.Ns, u.record
	switch command {
	case "add":
		read = u.add
	case "delete":
	case "require", "prohibit":
		if len(u.msg.Ns) > 0 {
			return errors.New("require and prohibit stand before add and delete")
		}
		section = &u.msg.Answer
	default:
		return fmt.Errorf("%.40q is unknown; a block has lines of require, prohibit, add and delete, and ends with send", command)
	}
	rr, err := read(command, rest)
	if err == nil {
		*section = append(*section, rr)
	}
	return err
}

// end is for the end of the input.
func (u *updates) end() error {
	if u.msg == nil || u.bad {
		return nil
	}
	return errors.New("the last block does not end; write a line of: send")
}

// send ends the block.
func (u *updates) send() error {
	msg := u.msg
	u.msg = nil
	if u.bad {
		return nil
	}
	msg.Compress = true
	packed, err := msg.PackBuffer(u.buf)
	if err == nil && len(packed)+len(u.tail) > dns.MaxMsgSize {
		err = errors.New("it has more than 65535 octets")
	}
	if err != nil {
		return fmt.Errorf("the update is no message: %w", err)
	}
	from := len(u.list.slab)
	u.list.slab = append(append(u.list.slab, packed...), u.tail...)
	if len(u.tail) > 0 {
		u.list.slab[from+11]++
	}
	return u.list.end(from, dns.TypeSOA, dns.OpcodeUpdate)
}
