//go:build !plan9

package queries_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/miekg/dns"

	"github.com/dnsq/dnsq/internal/load/queries"
)

// packet is one of a capture: what is below its payload, and when it was seen.
type packet struct {
	at      time.Duration
	layers  []gopacket.SerializableLayer
	payload []byte
	cut     int // octets at the end that the capture has not
}

func (p packet) data(t *testing.T) []byte {
	t.Helper()
	buf := gopacket.NewSerializeBuffer()
	all := append(slices.Clone(p.layers), gopacket.Payload(p.payload))
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true}, all...); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func (p packet) info(data []byte) gopacket.CaptureInfo {
	// Not at zero: the first one's time is to be taken off.
	return gopacket.CaptureInfo{Timestamp: time.Unix(1_700_000_000, 5000).Add(p.at), Length: len(data), CaptureLength: len(data) - p.cut}
}

type packetWriter interface {
	WritePacket(gopacket.CaptureInfo, []byte) error
}

func writePackets(t *testing.T, w packetWriter, packets []packet) {
	t.Helper()
	for _, p := range packets {
		data := p.data(t)
		if err := w.WritePacket(p.info(data), data[:len(data)-p.cut]); err != nil {
			t.Fatal(err)
		}
	}
}

// classic is a pcap file.
func classic(t *testing.T, link layers.LinkType, packets ...packet) string {
	t.Helper()
	var file bytes.Buffer
	w := pcapgo.NewWriterNanos(&file)
	if err := w.WriteFileHeader(65535, link); err != nil {
		t.Fatal(err)
	}
	writePackets(t, w, packets)
	return file.String()
}

// ng is a pcapng file.
func ng(t *testing.T, link layers.LinkType, packets ...packet) string {
	t.Helper()
	var file bytes.Buffer
	w, err := pcapgo.NewNgWriter(&file, link)
	if err != nil {
		t.Fatal(err)
	}
	writePackets(t, w, packets)
	w.Flush()
	return file.String()
}

var (
	ether4 = &layers.Ethernet{SrcMAC: make(net.HardwareAddr, 6), DstMAC: make(net.HardwareAddr, 6), EthernetType: layers.EthernetTypeIPv4}
	ether6 = &layers.Ethernet{SrcMAC: make(net.HardwareAddr, 6), DstMAC: make(net.HardwareAddr, 6), EthernetType: layers.EthernetTypeIPv6}
)

func ip4(p layers.IPProtocol) *layers.IPv4 {
	return &layers.IPv4{Version: 4, TTL: 64, Protocol: p, SrcIP: net.IPv4(192, 0, 2, 1), DstIP: net.IPv4(192, 0, 2, 53)}
}

func ip6(p layers.IPProtocol) *layers.IPv6 {
	return &layers.IPv6{Version: 6, HopLimit: 64, NextHeader: p, SrcIP: net.ParseIP("2001:db8::1"), DstIP: net.ParseIP("2001:db8::53")}
}

func udp(from, to layers.UDPPort) *layers.UDP { return &layers.UDP{SrcPort: from, DstPort: to} }

// to53 is a query over UDP, below whatever there is.
func to53(t *testing.T, at time.Duration, name string, below ...gopacket.SerializableLayer) packet {
	t.Helper()
	m := new(dns.Msg).SetQuestion(name, dns.TypeAAAA)
	return packet{at: at, layers: append(below, udp(4000, 53)), payload: packed(t, m)}
}

const ms = time.Millisecond

// captured reads a capture once and checks its names and times.
func captured(t *testing.T, file string, o queries.Options, want []string, times []time.Duration) *queries.List {
	t.Helper()
	o.Rounds = 1
	l := read(t, file, o)
	var at []time.Duration
	var q queries.Query
	for s := l.Part(0, 1, 0); s.Next(&q); {
		at = append(at, q.At)
	}
	if got := names(t, l.Part(0, 1, 0), 99); !slices.Equal(got, want) || !slices.Equal(at, times) || !l.Timed() {
		t.Errorf("%q at %v, timed %v; want %q at %v; %s", got, at, l.Timed(), want, times, l)
	}
	return l
}

func TestCapture(t *testing.T) {
	sll := func(protocol string) gopacket.SerializableLayer {
		return gopacket.Payload("\x00\x00\x00\x01\x00\x06abcdef\x00\x00" + protocol)
	}
	sll2 := func(protocol string) gopacket.SerializableLayer {
		return gopacket.Payload(protocol + "\x00\x00\x00\x00\x00\x02\x00\x01\x00\x06abcdef\x00\x00")
	}
	const type4, type6 = "\x08\x00", "\x86\xDD"
	loop4, loop6 := &layers.Loopback{Family: layers.ProtocolFamilyIPv4}, &layers.Loopback{Family: layers.ProtocolFamilyIPv6Linux}
	tagged := *ether4
	tagged.EthernetType = layers.EthernetTypeDot1Q
	vlan := &layers.Dot1Q{VLANIdentifier: 5, Type: layers.EthernetTypeIPv4}
	for _, test := range []struct {
		name string
		link layers.LinkType
		v4   []gopacket.SerializableLayer
		v6   []gopacket.SerializableLayer
	}{
		{"ethernet", layers.LinkTypeEthernet, []gopacket.SerializableLayer{ether4}, []gopacket.SerializableLayer{ether6}},
		{"vlan", layers.LinkTypeEthernet, []gopacket.SerializableLayer{&tagged, vlan}, []gopacket.SerializableLayer{ether6}},
		{"loopback", layers.LinkTypeNull, []gopacket.SerializableLayer{loop4}, []gopacket.SerializableLayer{loop6}},
		{"raw", layers.LinkTypeRaw, nil, nil},
		{"raw of BSD", 12, nil, nil},
		{"cooked", layers.LinkTypeLinuxSLL, []gopacket.SerializableLayer{sll(type4)}, []gopacket.SerializableLayer{sll(type6)}},
		{"cooked 2", layers.LinkTypeLinuxSLL2, []gopacket.SerializableLayer{sll2(type4)}, []gopacket.SerializableLayer{sll2(type6)}},
	} {
		packets := []packet{
			to53(t, 0, "four.", append(test.v4, ip4(layers.IPProtocolUDP))...),
			to53(t, 1500*ms, "six.", append(test.v6, ip6(layers.IPProtocolUDP))...),
		}
		want, times := []string{"four.", "six."}, []time.Duration{0, 1500 * ms}
		t.Run(test.name, func(t *testing.T) { captured(t, classic(t, test.link, packets...), queries.Options{}, want, times) })
		t.Run(test.name+" ng", func(t *testing.T) { captured(t, ng(t, test.link, packets...), queries.Options{}, want, times) })
	}
}

// Every byte order and unit of time that pcap has.
func TestCaptureOrders(t *testing.T) {
	data := to53(t, 0, "a.", ip4(layers.IPProtocolUDP)).data(t)
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		for magic, unit := range map[uint32]time.Duration{0xA1B2C3D4: time.Microsecond, 0xA1B23C4D: time.Nanosecond} {
			file := order.AppendUint32(nil, magic)
			file = order.AppendUint16(order.AppendUint16(file, 2), 4)
			for _, word := range []uint32{0, 0, 65535, uint32(layers.LinkTypeRaw)} {
				file = order.AppendUint32(file, word)
			}
			for k := range uint32(2) {
				for _, word := range []uint32{7 + k, 5 * k, uint32(len(data)), uint32(len(data))} {
					file = order.AppendUint32(file, word)
				}
				file = append(file, data...)
			}
			captured(t, string(file), queries.Options{}, []string{"a.", "a."}, []time.Duration{0, time.Second + 5*unit})
		}
	}
}

func TestCaptureMixedLinks(t *testing.T) {
	var file bytes.Buffer
	w, err := pcapgo.NewNgWriter(&file, layers.LinkTypeEthernet)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := w.AddInterface(pcapgo.NgInterface{Name: "tun", LinkType: layers.LinkTypeRaw, OS: "test"})
	if err != nil {
		t.Fatal(err)
	}
	p := to53(t, 0, "a.", ip4(layers.IPProtocolUDP))
	info := p.info(p.data(t))
	info.InterfaceIndex = raw
	if err := w.WritePacket(info, p.data(t)); err != nil {
		t.Fatal(err)
	}
	writePackets(t, w, []packet{to53(t, 2*ms, "b.", ether4, ip4(layers.IPProtocolUDP))})
	w.Flush()
	captured(t, file.String(), queries.Options{}, []string{"a.", "b."}, []time.Duration{0, 2 * ms})
}

// odd is a capture with one good query among what is none.
func odd(t *testing.T) []packet {
	answer := packed(t, new(dns.Msg).SetReply(new(dns.Msg).SetQuestion("r.", dns.TypeA)))
	query := packed(t, new(dns.Msg).SetQuestion("q.", dns.TypeA))
	u4 := ip4(layers.IPProtocolUDP)
	fragment, last := *u4, *u4
	fragment.Flags, last.FragOffset = layers.IPv4MoreFragments, 64
	cut := to53(t, 0, "cut.", ether4, u4)
	cut.cut = 3
	fragment6 := packet{layers: []gopacket.SerializableLayer{ether6, ip6(layers.IPProtocolIPv6Fragment)}}
	fragment6.payload = append([]byte{17, 0, 0, 1, 0, 0, 0, 1, 0x0F, 0xA0, 0, 53, 0, byte(8 + len(query)), 0, 0}, query...)
	return []packet{
		{layers: []gopacket.SerializableLayer{ether4, u4, udp(53, 4000)}, payload: answer},
		{layers: []gopacket.SerializableLayer{ether4, u4, udp(4000, 53)}, payload: answer},
		{layers: []gopacket.SerializableLayer{ether4, u4, udp(4000, 5353)}, payload: query},
		{layers: []gopacket.SerializableLayer{ether4, u4, udp(4000, 53)}, payload: query[:14]},
		{layers: []gopacket.SerializableLayer{ether4, ip4(layers.IPProtocolTCP), &layers.TCP{SrcPort: 4000, DstPort: 53, SYN: true}}},
		{layers: []gopacket.SerializableLayer{ether4, ip4(layers.IPProtocolICMPv4)}, payload: make([]byte, 8)},
		{layers: []gopacket.SerializableLayer{ether4, &fragment, udp(4000, 53)}, payload: query},
		{layers: []gopacket.SerializableLayer{ether4, &last}, payload: query},
		fragment6,
		cut,
		{layers: []gopacket.SerializableLayer{ether4}, payload: []byte{0x41}},
		to53(t, 7*ms, "good.", ether4, u4),
	}
}

func TestCaptureSkips(t *testing.T) {
	packets := odd(t)
	l := captured(t, classic(t, layers.LinkTypeEthernet, packets...), queries.Options{}, []string{"good."}, []time.Duration{0})
	const want = "2 responses, 1 datagrams to other ports, 1 datagrams that are no DNS query, 1 TCP segments, 1 packets of other protocols, " +
		"3 fragments, 1 datagrams cut short by the capture, 1 malformed packets"
	if got := l.Skipped().String(); got != want {
		t.Errorf("skipped %s\nwant %s", got, want)
	}
	captured(t, classic(t, layers.LinkTypeEthernet, packets...), queries.Options{Port: 5353}, []string{"q."}, []time.Duration{0})

	_, err := queries.Read(strings.NewReader(classic(t, layers.LinkTypeEthernet, packets[4])), "c.pcap", queries.Options{})
	fails(t, err, "c.pcap has no queries (skipped: 1 TCP segments); there have to be packets to UDP port 53")
	_, err = queries.Read(strings.NewReader(classic(t, layers.LinkTypePPP, packets[4])), "c.pcap", queries.Options{})
	fails(t, err, "1 packets of link type PPP")
}

// A capture that was stopped while it wrote is good but for its last packet.
func TestCaptureCutOff(t *testing.T) {
	a, b := to53(t, 0, "a.", ether4, ip4(layers.IPProtocolUDP)), to53(t, ms, "b.", ether4, ip4(layers.IPProtocolUDP))
	file := classic(t, layers.LinkTypeEthernet, a, b)
	l := captured(t, file[:len(file)-5], queries.Options{}, []string{"a."}, []time.Duration{0})
	if got := l.Skipped().String(); got != "1 packets cut off at the end" {
		t.Errorf("skipped %s", got)
	}
	_, err := queries.Read(strings.NewReader(file[:20]), "c.pcap", queries.Options{})
	fails(t, err, "c.pcap is no capture in pcap or pcapng")
}

// Rounds follow each other as the queries of one do, and time never goes back.
func TestCaptureRounds(t *testing.T) {
	on := []gopacket.SerializableLayer{ether4, ip4(layers.IPProtocolUDP)}
	file := classic(t, layers.LinkTypeEthernet,
		to53(t, 0, "a.", on...), to53(t, 30*ms, "b.", on...), to53(t, 20*ms, "c.", on...), to53(t, 60*ms, "d.", on...))
	once := captured(t, file, queries.Options{}, []string{"a.", "b.", "c.", "d."}, []time.Duration{0, 30 * ms, 30 * ms, 60 * ms})
	l := read(t, file, queries.Options{Rounds: 2})
	var got []time.Duration
	var q queries.Query
	for s := l.Part(1, 3, 0); s.Next(&q); {
		got = append(got, q.At/ms)
	}
	if want := []time.Duration{30, 80, 140}; !slices.Equal(got, want) {
		t.Errorf("at %d ms, want %d", got, want)
	}
	if set := queries.Uniform(once); set.Timed() {
		t.Error("queries in random order have times")
	}
	alone := read(t, classic(t, layers.LinkTypeEthernet, to53(t, 5*ms, "a.", on...)), queries.Options{Rounds: 2}).Part(0, 1, 0)
	if alone.Next(&q); q.At != 0 || !alone.Next(&q) || q.At != time.Second {
		t.Errorf("the second round of one query is at %v", q.At)
	}
}

// Whatever happened to a capture, there is an error or its queries are good.
func TestCaptureDamaged(t *testing.T) {
	files := []string{classic(t, layers.LinkTypeEthernet, odd(t)...), ng(t, layers.LinkTypeEthernet, odd(t)...)}
	random := rand.New(rand.NewPCG(1, 2))
	good := 0
	for k := range 20_000 {
		file := []byte(files[k%2])
		for range 1 + random.IntN(4) {
			file[random.IntN(len(file))] = byte(random.Uint32())
		}
		if k%3 == 0 {
			file = file[:random.IntN(len(file))]
		}
		l, err := queries.Read(bytes.NewReader(file), "x", queries.Options{Format: queries.Capture, Rounds: 1})
		if err == nil {
			drain(t, l)
			good++
		}
	}
	if good < 2000 || good == 20_000 {
		t.Errorf("%d of 20000 are good, so that the rest or they were not looked at", good)
	}
}
