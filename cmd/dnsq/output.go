package main

import (
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/dnsq/dnsq/resolver"
)

// Header bits (RFC 1035 4.1.1, RFC 4035 3).
const (
	bitRD = 1 << 8
	bitRA = 1 << 7
	bitZ  = 1 << 6
)

// answerText is the whole of what is printed for a reply that came now.
func (r *request) answerText(a *resolver.Answer, now time.Time) ([]byte, error) {
	m, err := decode(a.Raw)
	if err != nil {
		return nil, err
	}
	out := r.appendAttempts(nil, a.Attempts, true)
	if r.short {
		return m.appendShort(out), nil
	}
	out = r.appendBanner(out)
	out = append(out, ";; Got answer:\n"...)
	out = m.appendHeader(out, a.Trailing)
	out = m.appendOPT(out)
	out = m.appendQuestions(out)
	for i, title := range [...]string{answer: "ANSWER", authority: "AUTHORITY", additional: "ADDITIONAL"} {
		out = m.appendSection(out, i, title)
	}
	return appendFooter(out, a, now), nil
}

// failureText is what is printed where no reply came.
func (r *request) failureText(e *resolver.Error) []byte {
	out := r.appendAttempts(nil, e.Attempts, false)
	if len(e.Attempts) == 0 {
		out = fmt.Appendf(out, ";; %s\n", printable(e.Error()))
	}
	if !r.short {
		out = r.appendBanner(out)
	}
	return append(out, ";; no servers could be reached\n"...)
}

// appendBanner begins with an empty line, as dig does.
func (r *request) appendBanner(out []byte) []byte {
	out = fmt.Appendf(out, "\n; <<>> dnsq %s <<>> %s\n", version(), printable(strings.Join(r.args, " ")))
	switch n := len(r.servers); n {
	case 0:
	case 1:
		out = append(out, "; (1 server found)\n"...)
	default:
		out = fmt.Appendf(out, "; (%d servers found)\n", n)
	}
	return append(out, ";; global options: +cmd\n"...)
}

func (m *message) appendHeader(out []byte, trailing int) []byte {
	bits, n := m.bits, m.counts
	out = fmt.Appendf(out, ";; ->>HEADER<<- opcode: %s, status: %s, id: %d\n;; flags:", opcodeName(bits), rcodeName(m.rcode()), m.id())
	for _, f := range []struct {
		bit  uint16
		name string
	}{{1 << 15, "qr"}, {1 << 10, "aa"}, {1 << 9, "tc"}, {bitRD, "rd"}, {bitRA, "ra"}, {1 << 5, "ad"}, {1 << 4, "cd"}} {
		if bits&f.bit != 0 {
			out = append(append(out, ' '), f.name...)
		}
	}
	if bits&bitZ != 0 {
		out = append(out, "; MBZ: 0x4"...)
	}
	out = fmt.Appendf(out, "; QUERY: %d, ANSWER: %d, AUTHORITY: %d, ADDITIONAL: %d\n", n[0], n[1], n[2], n[3])
	if bits&(bitRD|bitRA) == bitRD {
		out = append(out, ";; WARNING: recursion requested but not available\n"...)
	}
	if trailing > 0 {
		out = fmt.Appendf(out, ";; WARNING: Message has %d extra byte%s at end\n", trailing, plural(trailing))
	}
	return append(out, '\n')
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

func (m *message) appendQuestions(out []byte) []byte {
	if len(m.questions) == 0 {
		return out
	}
	out = append(out, ";; QUESTION SECTION:\n"...)
	for _, q := range m.questions {
		l := line{out: append(out, ';'), column: 1}
		l.add(q.name)
		l.tab(classColumn)
		l.add(className(q.class))
		l.tab(typeColumn)
		l.add(typeName(q.typ))
		out = append(l.out, '\n')
	}
	return append(out, '\n')
}

func (m *message) appendSection(out []byte, s int, title string) []byte {
	if len(m.sections[s]) == 0 {
		return out
	}
	out = fmt.Appendf(out, ";; %s SECTION:\n", title)
	for _, r := range m.sections[s] {
		out = m.appendRecord(out, r)
	}
	return append(out, '\n')
}

func appendFooter(out []byte, a *resolver.Answer, now time.Time) []byte {
	return fmt.Appendf(out, ";; Query time: %d msec\n;; SERVER: %s(%s) (%s)\n;; WHEN: %s\n;; MSG SIZE  rcvd: %d\n\n",
		a.RTT.Milliseconds(), digAddr(a.Server), a.Server.Addr(), strings.ToUpper(a.Transport.String()),
		now.Format("Mon Jan 02 15:04:05 MST 2006"), len(a.Raw))
}

// digAddr writes an address as dig does.
func digAddr(a netip.AddrPort) string { return fmt.Sprintf("%s#%d", a.Addr(), a.Port()) }
