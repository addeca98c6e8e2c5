package main

import (
	"strings"
	"time"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/resolver"
)

// request is what the command line, or a line of a batch, asks for.
type request struct {
	name       string
	typ, class uint16
	servers    []string // as given, without the @
	port       uint16   // of servers given without one
	family     int      // 4 or 6: these servers only

	flags   resolver.Flags
	udpSize uint16
	timeout time.Duration
	tries   int

	short, stats    bool
	backend, poller string
	batch           string // a file, - for the standard input
	show            string // "help" or "version" instead of asking

	args     []string // for the banner
	warnings []string // as dig gives them

	hasName, hasType, hasClass bool
	typeFixed, classFixed      bool // by -t and -c: words are not looked at
	hasTCP                     bool
}

// newRequest has the defaults.
func newRequest(e *environment) request {
	return request{
		typ: dns.TypeA, class: dns.ClassINET, port: resolver.DefaultPort, flags: resolver.AuthenticData,
		backend: e.getenv("DNSQ_BACKEND"), poller: e.getenv("DNSQ_POLLER"),
	}
}

// parse reads the arguments on top of what r holds. The error, a usageError, names the argument and what would be right.
func (r *request) parse(args []string) error {
	r.args = args
	var servers []string
	for len(args) > 0 && r.show == "" {
		word := args[0]
		args = args[1:]
		var err error
		switch {
		case strings.HasPrefix(word, "@"):
			servers = append(servers, word[1:])
		case strings.HasPrefix(word, "+"):
			err = r.plus(word)
		case len(word) > 1 && word[0] == '-':
			args, err = r.dash(word, args)
		default:
			err = r.word(word)
		}
		if err != nil {
			return err
		}
	}
	if servers != nil { // in place of those before, in a batch the command line's
		r.servers = servers
	}
	return nil
}

// finish fills in what depends on several arguments.
func (r *request) finish() error {
	if !r.hasName {
		if r.hasType && !r.typeFixed {
			r.warn("no name given, asking for . NS; a name that is also a type is given with -q")
		}
		r.name, r.typ = ".", dns.TypeNS
	}
	switch r.typ {
	case dns.TypeAXFR, dns.TypeIXFR:
		return usagef("type %s: zone transfers are not offered, only single questions", typeName(r.typ))
	case dns.TypeOPT:
		return usagef("type OPT: it cannot be asked for, +edns sends it (RFC 6891)")
	case dns.TypeANY:
		if !r.hasTCP {
			r.flags |= resolver.OverTCP // as dig: such answers are big
		}
	}
	return nil
}

// word takes a word without a mark: a type, a class or the name.
func (r *request) word(w string) error {
	if t, ok := parseType(w); ok && !r.typeFixed {
		r.setType(t)
		return nil
	}
	if c, ok := parseClass(w); ok && !r.classFixed {
		r.setClass(c)
		return nil
	}
	if r.hasName {
		return usagef("%q is neither a type (A, MX, TYPE65432) nor a class (IN, CH, CLASS3), and the name is %q already", w, r.name)
	}
	r.setName(w)
	return nil
}

func (r *request) setName(name string) { r.name, r.hasName = name, true }

func (r *request) setType(t uint16) {
	if r.hasType {
		r.warn("extra type option")
	}
	r.typ, r.hasType = t, true
}

func (r *request) setClass(c uint16) {
	if r.hasClass {
		r.warn("extra class option")
	}
	r.class, r.hasClass = c, true
}

func (r *request) warn(text string) { r.warnings = append(r.warnings, text) }
