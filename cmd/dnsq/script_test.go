//go:build !plan9 && !wasip1

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/netip"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/miekg/dns"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/dnsq/dnsq/internal/dnstest"
	"github.com/dnsq/dnsq/internal/responder"
)

// TestScripts runs testdata/script. Their commands, besides those of testscript:
//
//	[!] dnsq args…   runs dnsq with $WORK/resolv.conf for the system's file; ! wants an exit code other than 0
//	exit code        compares the last exit code
//	oneline file     wants one line, without control characters
//
// On stdout what differs from run to run is masked. The variables are servers: $SELF the built-in responder, $ECHO tells what the query was
// like, $SILENT never answers, $NOBODY is a port where nobody listens, $FAIL says SERVFAIL, $OLD knows no EDNS, $ODD answers oddly by name.
func TestScripts(t *testing.T) {
	self, err := responder.Start(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { self.Close() })
	servers := map[string]netip.AddrPort{
		"SELF":   self.Addr(),
		"ECHO":   dnstest.Start(t, echo).Addr(),
		"SILENT": dnstest.Start(t, dnstest.Silent).Addr(),
		"NOBODY": dnstest.Nobody(t),
		"FAIL":   dnstest.Start(t, dnstest.Rcode(dns.RcodeServerFailure)).Addr(),
		"OLD":    dnstest.Start(t, dnstest.EDNS(dnstest.HeaderOnly(dns.RcodeFormatError), dnstest.A("192.0.2.9"))).Addr(),
		"ODD":    dnstest.Start(t, odd).Addr(),
	}
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"dnsq": scriptDnsq, "exit": scriptExit, "oneline": scriptOneLine},
		Setup: func(e *testscript.Env) error {
			for name, addr := range servers {
				e.Setenv(name, addr.String())
				e.Setenv(name+"_PORT", fmt.Sprint(addr.Port()))
			}
			return nil
		},
	})
}

// echo answers with a TXT record that tells what the query was like.
func echo(w *dnstest.Writer, q dnstest.Request) {
	m := q.Query
	text := fmt.Sprintf("%s %s rd=%t ad=%t cd=%t", q.Transport, dns.Class(q.Question.Qclass), m.RecursionDesired, m.AuthenticatedData, m.CheckingDisabled)
	if o := m.IsEdns0(); o != nil {
		text += fmt.Sprintf(" edns=%d do=%t", o.UDPSize(), o.Do())
	}
	dnstest.Answer(q.Question.Name+" 0 TXT \""+text+"\"")(w, q)
}

func odd(w *dnstest.Writer, q dnstest.Request) {
	switch label, _, _ := strings.Cut(q.Question.Name, "."); label {
	case "trailing":
		dnstest.Edit(dnstest.A("192.0.2.1"), func(msg []byte, _ dnstest.Request) []byte { return append(msg, 1, 2, 3) })(w, q)
	case "options":
		dnstest.Reply(func(m *dns.Msg) {
			m.Rcode = 23 // BADCOOKIE: needs the extension
			o := m.SetEdns0(1232, true).IsEdns0()
			o.SetZ(1)
			o.Option = []dns.EDNS0{
				&dns.EDNS0_EDE{InfoCode: 20, ExtraText: "a\x1bb"}, &dns.EDNS0_EDE{InfoCode: 4711},
				&dns.EDNS0_NSID{Code: dns.EDNS0NSID, Nsid: "6c616231"}, &dns.EDNS0_COOKIE{Code: dns.EDNS0COOKIE, Cookie: "6162636465666768"},
				&dns.EDNS0_LOCAL{Code: 65001, Data: []byte("a\x07")}, &dns.EDNS0_LOCAL{Code: 65002},
			}
		})(w, q)
	case "flags":
		dnstest.Reply(func(m *dns.Msg) {
			m.RecursionAvailable, m.AuthenticatedData, m.Zero, m.CheckingDisabled = true, true, true, true
		})(w, q)
	}
}

func scriptDnsq(ts *testscript.TestScript, neg bool, args []string) {
	var out, errs bytes.Buffer
	e := &environment{
		stdin: strings.NewReader(ts.ReadFile("stdin")), stdout: &out, stderr: &errs, getenv: ts.Getenv, resolvConf: ts.MkAbs("resolv.conf"),
		program: testProgram, command: append([]string{"dnsq"}, args...),
	}
	code := run(e, args)
	io.WriteString(ts.Stdout(), mask(out.String()))
	ts.Stderr().Write(errs.Bytes())
	ts.Setenv("code", strconv.Itoa(code))
	if (code != 0) != neg {
		ts.Fatalf("dnsq %q: exit code %d", args, code)
	}
}

func scriptExit(ts *testscript.TestScript, _ bool, args []string) {
	if got := ts.Getenv("code"); len(args) != 1 || got != args[0] {
		ts.Fatalf("exit code %s, want %v", got, args)
	}
}

func scriptOneLine(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[0])
	if !regexp.MustCompile(`^[ -~]+\n$`).MatchString(text) {
		ts.Fatalf("%s is not one printable line: %q", args[0], text)
	}
}
