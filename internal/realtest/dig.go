package realtest

import (
	"bytes"
	"context"
	"fmt"
	"net/netip"
	"os/exec"
	"strings"

	"github.com/dnsq/dnsq/resolver"
)

// Dig asks questions with BIND's dig.
type Dig struct {
	Path    string
	Server  netip.AddrPort
	TCP     bool   // ask over TCP from the start, whatever a question's flags say
	UDPSize uint16 // offered where EDNS is
}

// Ask asks the questions one after the other and returns an outcome for each.
// It fails if one of them was not answered.
func (d Dig) Ask(ctx context.Context, questions []Question) ([]Outcome, error) {
	var batch strings.Builder
	for _, q := range questions {
		fmt.Fprintln(&batch, d.line(q))
	}
	transport := "+notcp" // +tcp on a batch's lines would do nothing
	if d.TCP {
		transport = "+tcp"
	}
	cmd := exec.CommandContext(ctx, d.Path, "-r", // no .digrc
		"@"+d.Server.Addr().String(), "-p", fmt.Sprint(d.Server.Port()), "-f", "-",
		"+unknownformat", "+nosplit", transport, "+keepopen", "+tries=3", "+timeout=5")
	cmd.Stdin = strings.NewReader(batch.String())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	dieWithParent(cmd)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("dig: %w: %s%s", err, tail(out), stderr.Bytes())
	}
	outcomes, err := parseDig(string(out), questions, d.TCP)
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	return outcomes, nil
}

// line is the question's line of a batch file. Everything that dig has a default for is said.
func (d Dig) line(q Question) string {
	options := []string{q.Name, "CLASS1", fmt.Sprintf("TYPE%d", q.Type), "+nocookie"}
	for _, o := range []struct {
		flag    resolver.Flags
		set, no string
	}{
		{resolver.NoRecurse, "+norecurse", "+recurse"},
		{resolver.CheckingDisabled, "+cdflag", "+nocdflag"},
		{resolver.AuthenticData, "+adflag", "+noadflag"},
		{resolver.DNSSEC, "+dnssec", "+nodnssec"},
		{resolver.NoEDNS, "+noedns", fmt.Sprintf("+bufsize=%d", d.UDPSize)},
		{resolver.IgnoreTruncation, "+ignore", "+noignore"},
	} {
		if q.Flags&o.flag != 0 {
			options = append(options, o.set)
		} else {
			options = append(options, o.no)
		}
	}
	return strings.Join(options, " ")
}

// tail is the end of a long text.
func tail(text []byte) []byte { return text[max(len(text)-2000, 0):] }
