package wire_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/vectors"
	"github.com/dnsq/dnsq/internal/wire"
)

// seeds returns the vectors and one message of each record.
func seeds(tb testing.TB) (msgs [][]byte) {
	for _, v := range vectors.Load(tb) {
		msgs = append(msgs, v.Message(0x1234))
	}
	for _, rr := range records(tb) {
		m := msgWith([]dns.RR{rr, rr}, nil, nil)
		m.Compress = true
		msg, err := m.Pack()
		if err != nil {
			tb.Fatal(err)
		}
		msgs = append(msgs, msg)
	}
	return msgs
}

// FuzzCheck holds Check against Walk, and both against miekg/dns: what Check accepts that one must be able to read.
func FuzzCheck(f *testing.F) {
	for _, msg := range seeds(f) {
		f.Add(msg)
	}
	f.Fuzz(func(t *testing.T, msg []byte) { checkMessage(t, msg) })
}

// TestMutated is FuzzCheck for a fixed lot of messages in which a few octets were changed.
func TestMutated(t *testing.T) {
	all := seeds(t)
	random := rand.New(rand.NewPCG(3, 4))
	values := []byte{0, 1, 12, 33, 0x40, 0x80, 0xC0, 0xFF}
	for range 100_000 {
		msg := bytes.Clone(all[random.IntN(len(all))])
		if len(msg) <= wire.HeaderLen || len(msg) > 1000 {
			continue
		}
		for range 1 + random.IntN(3) {
			at := wire.HeaderLen + random.IntN(len(msg)-wire.HeaderLen)
			switch random.IntN(3) {
			case 0:
				msg[at] = values[random.IntN(len(values))]
			case 1:
				msg[at] ^= 1 << random.IntN(8)
			case 2:
				msg[at]++
			}
		}
		checkMessage(t, msg)
	}
}

func checkMessage(t *testing.T, msg []byte) {
	info, err := wire.Check(msg)
	w := wire.Walk(msg)
	var walked []wire.Record
	for r, ok := w.Next(); ok; r, ok = w.Next() {
		walked = append(walked, r)
	}
	if err != nil {
		return
	}
	count := int(info.AN) + int(info.NS) + int(info.AR)
	if w.Err() != nil || len(walked) != count || info.End > len(msg) {
		t.Fatalf("%d records, %v; Check found %d and no error in %x", len(walked), w.Err(), count, msg)
	}
	for _, r := range walked {
		checkRecord(t, msg, r)
	}
}

// checkRecord holds one record of a message that passed Check against what miekg/dns reads.
func checkRecord(t *testing.T, msg []byte, r wire.Record) {
	text, err := wire.AppendNameText(nil, msg, r.Owner)
	if err != nil {
		t.Fatalf("owner at %d: %v", r.Owner, err)
	}
	name, err := wire.AppendName(nil, string(text))
	if err != nil || !wire.NamesEqual(name, 0, msg, r.Owner) {
		t.Fatalf("owner at %d: %q is not it: %v", r.Owner, text, err)
	}
	rr, end, err := dns.UnpackRR(msg, r.Owner)
	if err != nil {
		if !mayRefuse(r, err) {
			t.Fatalf("miekg/dns: %v: type %d, %x", err, r.Type, msg[r.Data:r.End])
		}
		return
	}
	if end != r.End || rr.Header().Rrtype != r.Type {
		t.Fatalf("ends at %d and has type %d; miekg/dns: %d, %v", r.End, r.Type, end, rr)
	}
	theirs, err := wire.AppendName(nil, rr.Header().Name)
	if err != nil || !bytes.Equal(name, theirs) {
		t.Fatalf("owner %q; miekg/dns: %q", text, rr.Header().Name)
	}
}

// stricter has the types of which miekg/dns is known to refuse more than Check does, and why Check does not.
var stricter = map[uint16]string{
	dns.TypeOPT:      "data of single options: bad data in one must not cost the answer",
	dns.TypeAPL:      "families and lengths of addresses, to which there may be more",
	dns.TypeAMTRELAY: "takes the discovery bit for a part of the relay type (RFC 8777 4.2.2)",
	dns.TypeNXT:      "takes the bitmap for one of NSEC, which is younger (RFC 2535 5.2)",
	dns.TypeISDN:     "a third string",
	dns.TypeUINFO:    "has no published format",
	dns.TypeUID:      "has no published format",
	dns.TypeGID:      "has no published format",
	dns.TypeNXNAME:   "is no type of records (RFC 9824 2)",
	dns.TypeANY:      "is no type of records",
	dns.TypeDLV:      "is withdrawn (RFC 8749), and opaque here",
}

// mayRefuse reports whether miekg/dns is expected to refuse r with err.
func mayRefuse(r wire.Record, err error) bool {
	if r.Type == dns.TypeA && r.Class != dns.ClassINET {
		return true // has another form in other classes
	}
	// It follows 126 pointers, not 127.
	return stricter[r.Type] != "" || strings.Contains(err.Error(), "too many compression pointers")
}

// FuzzName holds the ways between text and octets against each other and miekg/dns.
func FuzzName(f *testing.F) {
	for _, name := range []string{".", "", "a", "www.example.com.", `a\.b`, `\000\255`, `a\`, `\25`, "a..b", longName, "a\x00\n"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		octets, err := wire.AppendName(nil, name)
		if err != nil {
			return
		}
		if len(octets) > 255 {
			t.Fatalf("%q: %d octets", name, len(octets))
		}
		if end, ok := wire.SkipName(octets, 0); !ok || end != len(octets) {
			t.Fatalf("%q: %x is no name", name, octets)
		}
		text, err := wire.AppendNameText(nil, octets, 0)
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if again, err := wire.AppendName(nil, string(text)); err != nil || !bytes.Equal(again, octets) {
			t.Fatalf("%q: %x → %q → %x, %v", name, octets, text, again, err)
		}
		buf := make([]byte, 512)
		end, err := dns.PackDomainName(string(text), buf, 0, nil, false)
		if err != nil || !bytes.Equal(buf[:end], octets) {
			t.Fatalf("%q: %q is %x for miekg/dns, %v, want %x", name, text, buf[:end], err, octets)
		}
	})
}

// longName has 255 octets on the wire.
var longName = strings.Repeat("a.", 127)

// FuzzFrames cuts a stream into reads: the messages must not depend on how.
func FuzzFrames(f *testing.F) {
	for _, v := range vectors.Load(f) {
		msg := v.Message(0x1234)
		f.Add(wire.AppendFrame(wire.AppendFrame(nil, msg), msg), []byte{1, 2, 3})
	}
	f.Add([]byte{0, 0, 0}, []byte{})
	f.Fuzz(func(t *testing.T, stream, cuts []byte) {
		var frames wire.Frames
		var got []byte
		for i, rest := 0, stream; len(rest) > 0; i++ {
			n := len(rest)
			if len(cuts) > 0 {
				n = min(n, 1+int(cuts[i%len(cuts)]))
			}
			space := frames.Space()
			if len(space) == 0 || len(space) > 65537 {
				t.Fatalf("%d octets of space", len(space))
			}
			n = copy(space, rest[:n])
			frames.Wrote(n)
			rest = rest[n:]
			for msg, ok := frames.Next(); ok; msg, ok = frames.Next() {
				got = wire.AppendFrame(got, msg)
			}
		}
		if !bytes.HasPrefix(stream, got) {
			t.Fatalf("messages that are not in the stream")
		}
		rest := stream[len(got):]
		if len(rest) >= 2 && len(rest) >= 2+int(rest[0])<<8+int(rest[1]) {
			t.Fatalf("a whole message was left in %d octets", len(rest))
		}
	})
}
