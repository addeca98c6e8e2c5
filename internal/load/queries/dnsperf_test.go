package queries_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
	"github.com/dnsq/dnsq/internal/require"
)

// dnsperf returns what dnsperf sends for a file, once through, to a server of one port that answers everything with NOERROR.
func dnsperf(t *testing.T, file string, flags ...string) [][]byte {
	t.Helper()
	path, err := exec.LookPath("dnsperf")
	if err != nil {
		require.Skip(t, "no dnsperf: %v", err)
	}
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	sent := make(chan [][]byte)
	go func() { sent <- answer(server) }()
	_, port, _ := net.SplitHostPort(server.LocalAddr().String())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, append(flags, "-s", "127.0.0.1", "-p", port, "-d", file, "-t", "2", "-q", "1")...).CombinedOutput()
	server.Close()
	all := <-sent
	if err != nil {
		t.Fatalf("dnsperf: %v\n%s", err, out)
	}
	return all
}

// answer returns every message that came until the socket is closed, with ID 0.
func answer(server net.PacketConn) (all [][]byte) {
	buf := make([]byte, 65535)
	for {
		n, from, err := server.ReadFrom(buf)
		if err != nil {
			return all
		}
		m := append([]byte(nil), buf[:n]...)
		buf[2] |= 0x80
		server.WriteTo(buf[:n], from)
		m[0], m[1] = 0, 0
		all = append(all, m)
	}
}

func write(t *testing.T, content string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Octet for octet what dnsperf sends. Only its EDNS size is another one.
func TestAsDnsperf(t *testing.T) {
	const text = "example.com A\n; comment\n\nexample.com.\taaaa  \na;b MX\nx.example TYPE65280\nx.example ANY\n. NS\n_dns.Example SVCB\ny.example PTR ; ignored\n"
	for _, test := range []struct {
		name    string
		content string
		flags   []string
		options queries.Options
	}{
		{"plain", text, nil, queries.Options{}},
		{"EDNS", text, []string{"-e"}, queries.Options{Ask: queries.Ask{Size: 4096}}},
		{"DO", text, []string{"-D"}, queries.Options{Ask: queries.Ask{Size: 4096, DO: true}}},
		{"option", text, []string{"-E", "65001:cafe"}, queries.Options{
			Ask: queries.Ask{Size: 4096, Extra: []queries.Option{{Code: 65001, Data: []byte{0xCA, 0xFE}}}},
		}},
		{"twice", text, []string{"-n", "2"}, queries.Options{Rounds: 2}},
		{"stream", framed(packed(t, new(dns.Msg).SetQuestion("a.", 1)), packed(t, new(dns.Msg).SetQuestion("b.", 1))), []string{"-B"}, queries.Options{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := write(t, test.content)
			want := dnsperf(t, file, test.flags...)
			test.options.Rounds = max(test.options.Rounds, 1)
			l, err := queries.Open(file, test.options)
			if err != nil {
				t.Fatal(err)
			}
			var got [][]byte
			var q queries.Query
			for s := l.Part(0, 1, 0); s.Next(&q); {
				got = append(got, q.Raw)
			}
			if diff := cmp.Diff(want, got); diff != "" || len(got) < 2 {
				t.Errorf("%d messages: %s", len(got), diff)
			}
		})
	}
}

// Updates say what dnsperf's do; names are compressed elsewhere.
func TestUpdatesAsDnsperf(t *testing.T) {
	file := write(t, blocks)
	want := dnsperf(t, file, "-u")
	l, err := queries.Open(file, queries.Options{Format: queries.Update, Rounds: 1})
	if err != nil {
		t.Fatal(err)
	}
	got := messages(t, l.Part(0, 1, 0), 9)
	if len(got) != len(want) || len(got) != 2 {
		t.Fatalf("%d updates, dnsperf sends %d", len(got), len(want))
	}
	for k, m := range got {
		theirs := new(dns.Msg)
		if err := theirs.Unpack(want[k]); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(content(t, theirs), content(t, m)); diff != "" {
			t.Errorf("update %d: %s", k, diff)
		}
	}
}
