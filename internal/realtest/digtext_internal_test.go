package realtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/resolver"
)

// digOutput is what dig 9.18 prints for three questions of a batch, the second
// of them first truncated.
const digOutput = `
; <<>> DiG 9.18.49-1~deb12u3-Debian <<>> A.test. CLASS1 TYPE1
; (1 server found)
;; global options: +cmd
;; Got answer:
;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 35164
;; flags: qr aa rd; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 2
;; WARNING: recursion requested but not available

;; OPT PSEUDOSECTION:
; EDNS: version: 0, flags:; udp: 1232
;; QUESTION SECTION:
;A.test.				CLASS1	TYPE1

;; ANSWER SECTION:
A.test.			3600	CLASS1	TYPE1	\# 4 C0000201

;; ADDITIONAL SECTION:
unk.test.		3600	CLASS1	TYPE65432 \# 0

;; Truncated, retrying in TCP mode.

; <<>> DiG 9.18.49-1~deb12u3-Debian <<>> sp\032ace\".test. CLASS1 TYPE16
;; Got answer:
;; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 1
;; flags: qr tc rd; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 0

;; QUESTION SECTION:
;sp\032ace\".test.	CLASS1	TYPE16

;; ANSWER SECTION:
sp\032ace\".test.	1	CLASS1	TYPE16	\# 1 00

;; Got answer:
;; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 2
;; flags: qr rd ra ad; QUERY: 1, ANSWER: 0, AUTHORITY: 1, ADDITIONAL: 0

;; QUESTION SECTION:
;sp\032ace\".test.	CLASS1	TYPE16

;; AUTHORITY SECTION:
test.			60	CLASS1	TYPE2	\# 4 016E7300

;; Query time: 0 msec
;; SERVER: 127.0.0.1#5392(127.0.0.1) (TCP)
;; WHEN: Mon Nov 30 16:40:38 UTC 2026
;; MSG SIZE  rcvd: 54

; <<>> DiG 9.18.49-1~deb12u3-Debian <<>> . CLASS1 TYPE2
;; Got answer:
;; ->>HEADER<<- opcode: QUERY, status: REFUSED, id: 57934
;; flags: qr tc; QUERY: 1, ANSWER: 0, AUTHORITY: 0, ADDITIONAL: 1

;; OPT PSEUDOSECTION:
; EDNS: version: 0, flags:; udp: 1232
; EDE: 20 (Not Authoritative)
;; QUESTION SECTION:
;.				CLASS1	TYPE2

`

func digQuestions() []Question {
	var questions []Question
	for _, q := range []resolver.Question{{Name: "A.test.", Type: 1}, {Name: `sp\032ace\".test.`, Type: 16}, {Name: ".", Type: 2}} {
		questions = append(questions, Question{Question: q})
	}
	return questions
}

func TestParseDig(t *testing.T) {
	got, err := parseDig(digOutput, digQuestions(), false)
	if err != nil {
		t.Fatal(err)
	}
	want := []Outcome{
		{Rcode: dns.RcodeSuccess, AA: true, Records: []Record{
			{Section: Answer, Owner: "\x01A\x04test\x00", Type: 1, Class: 1, TTL: 3600, Data: "c0000201"},
			{Section: Additional, Owner: "\x03unk\x04test\x00", Type: 65432, Class: 1, TTL: 3600},
		}},
		{Rcode: dns.RcodeNameError, AD: true, Records: []Record{
			{Section: Authority, Owner: "\x04test\x00", Type: 2, Class: 1, TTL: 60, Data: "016e7300"},
		}},
		{Rcode: dns.RcodeRefused, TC: true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
}

// TestParseDigRefuses wants text that is not what was asked for refused.
func TestParseDigRefuses(t *testing.T) {
	for _, tt := range []struct{ name, old, new, want string }{
		{"nothing printed", digOutput, "", "0 outcomes for 3 questions"},
		{"no response", ";; QUESTION SECTION:\n;.	", ";; no servers could be reached\n; ", "answered \"\""},
		{"another name", ";A.test.", ";B.test.", "B.test."},
		{"another case", ";A.test.", ";a.test.", "a.test."},
		{"another type", "CLASS1	TYPE1\n", "CLASS1	TYPE28\n", "TYPE28"},
		{"unknown status", "NXDOMAIN", "NONESUCH", "NONESUCH"},
		{"a record in words", `CLASS1	TYPE1	\# 4 C0000201`, "IN A 192.0.2.1 and more", "RFC 3597"},
		{"a record cut short", "C0000201", "C00002", "octets of RDATA"},
		{"a type without number", "TYPE65432", "SVCB", "SVCB"},
		{"a class without number", "CLASS1	TYPE65432", "IN TYPE65432", "IN"},
		{"a TTL too large", "60	CLASS1", "4294967296	CLASS1", "4294967296"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !strings.Contains(digOutput, tt.old) {
				t.Fatalf("the output has no %q to change", tt.old)
			}
			_, err := parseDig(strings.Replace(digOutput, tt.old, tt.new, 1), digQuestions(), false)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that holds %q", err, tt.want)
			}
		})
	}
}

// TestParseDigOverTCP wants an answer over UDP refused where TCP was asked for.
func TestParseDigOverTCP(t *testing.T) {
	_, second, _ := strings.Cut(digOutput, ";; Truncated, retrying in TCP mode.")
	second, _, _ = strings.Cut(second, "; <<>> DiG 9.18.49-1~deb12u3-Debian <<>> . ")
	questions := digQuestions()[1:2]
	if _, err := parseDig(second, questions, true); err != nil {
		t.Error(err)
	}
	if _, err := parseDig(strings.Replace(second, " (TCP)", " (UDP)", 1), questions, true); err == nil {
		t.Error("an answer over UDP was taken")
	}
}

func TestDigLine(t *testing.T) {
	d := Dig{UDPSize: 1232}
	for _, tt := range []struct {
		flags resolver.Flags
		want  string
	}{
		{0, "+recurse +nocdflag +noadflag +nodnssec +bufsize=1232 +noignore"},
		{resolver.NoRecurse | resolver.NoEDNS | resolver.IgnoreTruncation, "+norecurse +nocdflag +noadflag +nodnssec +noedns +ignore"},
		{resolver.CheckingDisabled | resolver.AuthenticData | resolver.DNSSEC, "+recurse +cdflag +adflag +dnssec +bufsize=1232 +noignore"},
		{resolver.OverTCP, "+recurse +nocdflag +noadflag +nodnssec +bufsize=1232 +noignore"},
	} {
		q := Question{Question: resolver.Question{Name: "a.test.", Type: 65432}, Flags: tt.flags}
		if got, want := d.line(q), "a.test. CLASS1 TYPE65432 +nocookie "+tt.want; got != want {
			t.Errorf("flags %#x: %q, want %q", tt.flags, got, want)
		}
	}
}
