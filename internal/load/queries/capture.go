//go:build !plan9

// gopacket does not compile on Plan 9.

package queries

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// packetReader is what pcap and pcapng have in common.
type packetReader interface {
	ZeroCopyReadPacketData() ([]byte, gopacket.CaptureInfo, error)
	LinkType() layers.LinkType
}

func newPacketReader(in *bufio.Reader) (packetReader, error) {
	if start, _ := in.Peek(1); len(start) > 0 && start[0] == 0x0A {
		// With mixed link types each packet tells its own.
		return pcapgo.NewNgReader(in, pcapgo.NgReaderOptions{WantMixedLinkType: true, SkipUnknownVersion: true})
	}
	return pcapgo.NewReader(in)
}

// readCapture takes the queries out of a capture, each with its time.
func (l *List) readCapture(in *bufio.Reader, o *Options) error {
	r, err := newPacketReader(in)
	if err != nil {
		return fmt.Errorf("%s is no capture in pcap or pcapng: %w", l.name, err)
	}
	p := newPackets(o.port())
	l.times = []time.Duration{}
	for n := 1; ; n++ {
		data, info, err := r.ZeroCopyReadPacketData()
		if err == io.EOF {
			return nil
		}
		if errors.Is(err, io.ErrUnexpectedEOF) && n > 1 { // whoever captured was stopped while it wrote
			l.skipped.add("packets cut off at the end", 1)
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: packet %d: %w", l.name, n, err)
		}
		if err := l.packet(p, linkType(r, &info), data, info.Timestamp); err != nil {
			return fmt.Errorf("%s: packet %d: %w", l.name, n, err)
		}
	}
}

func linkType(r packetReader, info *gopacket.CaptureInfo) layers.LinkType {
	if len(info.AncillaryData) > 0 {
		if t, ok := info.AncillaryData[0].(layers.LinkType); ok {
			return t
		}
	}
	return r.LinkType()
}

// packet adds the query in one packet, or counts why there is none.
func (l *List) packet(p *packets, link layers.LinkType, data []byte, at time.Time) error {
	msg, reason := p.payload(link, data)
	if reason == "" {
		switch err := l.message(msg); err {
		case nil:
			l.at(p, at)
		case errResponse:
			reason = "responses"
		case errNoQuestion:
			reason = "datagrams that are no DNS query"
		default:
			return err
		}
	}
	if reason != "" {
		l.skipped.add(reason, 1)
	}
	return nil
}

// at sets when the last query was sent. Captures from several devices are not always in order: time does not go back.
func (l *List) at(p *packets, at time.Time) {
	if len(l.times) == 0 {
		p.first = at
	}
	since := at.Sub(p.first)
	if n := len(l.times); n > 0 && since < l.times[n-1] {
		since = l.times[n-1]
	}
	l.times = append(l.times, since)
}
