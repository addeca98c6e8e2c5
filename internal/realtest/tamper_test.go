package realtest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/realtest"
)

// TestTamperedAnswersAreFound gives the comparison a client that is wrong about
// five questions, each in another way.
func TestTamperedAnswersAreFound(t *testing.T) {
	zones, anchor := zones(t)
	path := realtest.Find(t, "dig", "bind9-dnsutils")
	server := realtest.Start(t, realtest.List()[0], zones, anchor)
	dig := realtest.Dig{Path: path, Server: server.Addr, UDPSize: udpSize}
	questions := realtest.Questions(zones, 1100)[1000:]
	tampers := map[realtest.Question]func(*realtest.Outcome) error{
		questions[0]: func(o *realtest.Outcome) error { o.AA = !o.AA; return nil },
		questions[1]: func(o *realtest.Outcome) error { o.Rcode ^= 1; return nil },
		questions[2]: func(o *realtest.Outcome) error { o.Records[0].TTL++; return nil },
		questions[3]: func(o *realtest.Outcome) error { o.Records = nil; return nil },
		questions[4]: func(*realtest.Outcome) error { return errors.New("no answer") },
	}
	ask := func(ctx context.Context, q realtest.Question) (realtest.Outcome, error) {
		o, err := plainAsk(ctx, server, q)
		if tamper := tampers[q]; tamper != nil && err == nil {
			err = tamper(&o)
		}
		return o, err
	}
	equal, wrong := compareChunk(t.Context(), ask, dig, questions, false)
	if want := len(questions) - len(tampers); equal != want || len(wrong) != len(tampers) {
		t.Fatalf("%d answers are equal and %d wrong, want %d and %d: %v", equal, len(wrong), want, len(tampers), errors.Join(wrong...))
	}
	for i, part := range []string{"AA is", "rcode is", "TTL is", "missing: ", "no answer"} {
		if text := wrong[i].Error(); !strings.Contains(text, part) || !strings.Contains(text, questions[i].Name) {
			t.Errorf("question %d is %q, want it to name %s and say %q", i, text, questions[i].Name, part)
		}
	}
}
