package responder

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/miekg/dns"
)

// line is a record and where it comes from.
type line struct {
	rr     dns.RR
	file   string
	number int
}

func (l line) owner() string  { return strings.ToLower(l.rr.Header().Name) }
func (l line) prefix() string { return fmt.Sprintf("%s:%d: ", l.file, l.number) }

func (l line) errorf(format string, args ...any) error {
	return fmt.Errorf(l.prefix()+format, args...)
}

// defaultTTL is that of records whose file gives none, neither by $TTL nor in a record above.
const defaultTTL = 3600

// readFile reads a master file. Names without a final dot are below origin until a $ORIGIN.
func readFile(name, origin string) ([]line, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	origin = dns.Fqdn(origin)
	if _, ok := dns.IsDomainName(origin); !ok {
		return nil, fmt.Errorf("%s: origin %q is not a domain name", name, origin)
	}
	lines, err := readMaster(f, name, origin)
	if err == nil && len(lines) == 0 {
		err = fmt.Errorf("%s: no records; a zone file has a SOA record at least", name)
	}
	return lines, err
}

// readMaster reads master file text (RFC 1035 5) with $ORIGIN, $TTL, $INCLUDE and $GENERATE.
func readMaster(r io.Reader, name, origin string) ([]line, error) {
	count := &lineCounter{r: bufio.NewReader(r)}
	p := dns.NewZoneParser(count, origin, name)
	p.SetDefaultTTL(defaultTTL)
	p.SetIncludeAllowed(true)
	var lines []line
	for rr, ok := p.Next(); ok; rr, ok = p.Next() {
		lines = append(lines, line{rr, name, count.line()})
	}
	if err := p.Err(); err != nil {
		return nil, located(err)
	}
	if count.err != nil && count.err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, count.err)
	}
	return lines, nil
}

// located writes the parser's error, FILE: dns: TEXT at line: LINE:COLUMN, in the form that editors find.
func located(err error) error {
	file, rest, ok := strings.Cut(err.Error(), ": dns: ")
	i := strings.LastIndex(rest, " at line: ")
	if !ok || i < 0 {
		return err
	}
	return fmt.Errorf("%s:%s: %s", file, rest[i+len(" at line: "):], rest[:i])
}

// A lineCounter tells in which line a record ended: the parser reads octet by octet, and no further than the record.
type lineCounter struct {
	r       *bufio.Reader
	ended   int // lines
	partial bool
	err     error
}

// ReadByte is io.ByteReader, which the parser prefers.
func (c *lineCounter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err != nil {
		c.err = err
		return b, err
	}
	if c.partial = b != '\n'; !c.partial {
		c.ended++
	}
	return b, nil
}

func (c *lineCounter) Read(p []byte) (int, error) { return c.r.Read(p) }

func (c *lineCounter) line() int {
	if c.partial {
		return c.ended + 1
	}
	return c.ended
}
