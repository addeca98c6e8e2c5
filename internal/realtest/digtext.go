package realtest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/miekg/dns"
)

// digText reads what dig prints, with +unknownformat and +nosplit, line by line.
type digText struct {
	outcomes []Outcome
	asked    []string // of each outcome, the question section; "": no answer came
	tcp      []bool   // of each outcome, whether it came over TCP
	section  Section
	question bool // the next line is the question section's
}

// parseDig returns the outcomes of a batch, one for each of the questions, all
// of which must have been asked over TCP where tcp says so.
func parseDig(text string, questions []Question, tcp bool) ([]Outcome, error) {
	var p digText
	for line := range strings.Lines(text) {
		if err := p.line(strings.TrimRight(line, "\n")); err != nil {
			return nil, fmt.Errorf("dig's line %q: %w", line, err)
		}
	}
	if len(p.outcomes) != len(questions) {
		return nil, fmt.Errorf("dig printed %d outcomes for %d questions: %s", len(p.outcomes), len(questions), tail([]byte(text)))
	}
	for i, q := range questions {
		if !sameQuestion(p.asked[i], q) {
			return nil, fmt.Errorf("dig answered %q, not question %d, %s TYPE%d", p.asked[i], i, q.Name, q.Type)
		}
		if tcp && !p.tcp[i] {
			return nil, fmt.Errorf("dig did not ask question %d, %s TYPE%d, over TCP", i, q.Name, q.Type)
		}
		sortRecords(p.outcomes[i].Records)
	}
	return p.outcomes, nil
}

// line takes one line. A response that is tried again over TCP prints a second
// header, which starts the outcome anew.
func (p *digText) line(line string) error {
	if strings.HasPrefix(line, "; <<>> DiG ") {
		p.outcomes = append(p.outcomes, Outcome{})
		p.asked = append(p.asked, "")
		p.tcp = append(p.tcp, false)
		return nil
	}
	if len(p.outcomes) == 0 {
		return nil
	}
	i := len(p.outcomes) - 1
	switch {
	case strings.HasPrefix(line, ";; ->>HEADER<<- "):
		return p.outcomes[i].header(line)
	case strings.HasPrefix(line, ";; flags: "):
		p.outcomes[i].flags(line)
	case strings.HasPrefix(line, ";; SERVER: "):
		p.tcp[i] = strings.HasSuffix(line, " (TCP)")
	case line == "":
		p.section, p.question = 0, false
	case strings.HasSuffix(line, " SECTION:"):
		p.section, p.question = sectionNamed(line), line == ";; QUESTION SECTION:"
	case p.question:
		p.asked[i] = strings.TrimPrefix(line, ";")
	case p.section != 0:
		r, err := parseRecord(p.section, line)
		p.outcomes[i].Records = append(p.outcomes[i].Records, r)
		return err
	}
	return nil
}

// header reads ";; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 1" and forgets what came before.
func (o *Outcome) header(line string) error {
	_, rest, _ := strings.Cut(line, "status: ")
	status, _, _ := strings.Cut(rest, ",")
	rcode, ok := dns.StringToRcode[status]
	if !ok {
		return fmt.Errorf("status %q is none we know", status)
	}
	*o = Outcome{Rcode: rcode}
	return nil
}

// flags reads ";; flags: qr aa rd; QUERY: 1, ANSWER: 1, …".
func (o *Outcome) flags(line string) {
	words, _, _ := strings.Cut(strings.TrimPrefix(line, ";; flags: "), ";")
	for _, word := range strings.Fields(words) {
		switch word {
		case "aa":
			o.AA = true
		case "tc":
			o.TC = true
		case "ad":
			o.AD = true
		}
	}
}

// sectionNamed reads ";; ANSWER SECTION:"; other sections than of records are 0.
func sectionNamed(line string) Section {
	for _, s := range []Section{Answer, Authority, Additional} {
		if line == fmt.Sprintf(";; %s SECTION:", strings.ToUpper(s.String())) {
			return s
		}
	}
	return 0
}

// parseRecord reads "a.test. 3600 CLASS1 TYPE1 \# 4 C0000201" (RFC 3597 5).
func parseRecord(section Section, line string) (Record, error) {
	f := strings.Fields(line)
	if len(f) < 6 || f[4] != `\#` {
		return Record{}, fmt.Errorf("not a record in the form of RFC 3597")
	}
	owner, err := wireName(f[0])
	if err != nil {
		return Record{}, err
	}
	ttl, err := strconv.ParseUint(f[1], 10, 32)
	if err != nil {
		return Record{}, err
	}
	class, err := parseNumbered("CLASS", f[2])
	if err != nil {
		return Record{}, err
	}
	typ, err := parseNumbered("TYPE", f[3])
	if err != nil {
		return Record{}, err
	}
	data := strings.ToLower(strings.Join(f[6:], ""))
	if f[5] != strconv.Itoa(len(data)/2) {
		return Record{}, fmt.Errorf("%s octets of RDATA announced, %d there", f[5], len(data)/2)
	}
	return Record{Section: section, Owner: owner, Type: typ, Class: class, Data: data, TTL: uint32(ttl)}, nil
}

// parseNumbered reads a number behind a word, such as TYPE65432.
func parseNumbered(word, text string) (uint16, error) {
	digits, ok := strings.CutPrefix(text, word)
	if !ok {
		return 0, fmt.Errorf("%q does not start with %s", text, word)
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	return uint16(n), err
}

// sameQuestion reports whether a question section's line, "a.test. CLASS1 TYPE1", is that of q.
func sameQuestion(line string, q Question) bool {
	f := strings.Fields(line)
	if len(f) != 3 || f[2] != fmt.Sprintf("TYPE%d", q.Type) {
		return false
	}
	got, err := wireName(f[0])
	if err != nil {
		return false
	}
	want, err := wireName(q.Name)
	return err == nil && got == want
}
