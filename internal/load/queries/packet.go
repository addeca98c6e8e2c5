//go:build !plan9

// gopacket does not compile on Plan 9.

package queries

import (
	"slices"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// packets takes datagrams out of packets, with the same memory for each.
type packets struct {
	port    layers.UDPPort
	first   time.Time // of the first query
	parsers map[gopacket.LayerType]*gopacket.DecodingLayerParser
	decoded []gopacket.LayerType

	ethernet layers.Ethernet
	vlan     layers.Dot1Q
	loopback layers.Loopback
	sll      layers.LinuxSLL
	sll2     layers.LinuxSLL2
	ip4      layers.IPv4
	ip6      layers.IPv6
	ext      layers.IPv6ExtensionSkipper
	udp      layers.UDP
	tcp      layers.TCP
}

func newPackets(port uint16) *packets {
	return &packets{port: layers.UDPPort(port), parsers: make(map[gopacket.LayerType]*gopacket.DecodingLayerParser)}
}

// payload returns what a packet of that link has for the port, or the reason why there is nothing.
func (p *packets) payload(link layers.LinkType, data []byte) (msg []byte, reason string) {
	first := firstLayer(link, data)
	if first == gopacket.LayerTypeZero {
		return nil, "packets of link type " + link.String()
	}
	if err := p.parser(first).DecodeLayers(data, &p.decoded); err != nil || len(p.decoded) == 0 {
		return nil, "malformed packets"
	}
	if slices.Contains(p.decoded, layers.LayerTypeIPv6Fragment) {
		return nil, "fragments"
	}
	switch p.decoded[len(p.decoded)-1] {
	case layers.LayerTypeTCP:
		return nil, "TCP segments"
	case layers.LayerTypeUDP:
		return p.datagram()
	case layers.LayerTypeIPv4:
		if p.ip4.FragOffset > 0 || p.ip4.Flags&layers.IPv4MoreFragments != 0 {
			return nil, "fragments"
		}
	}
	return nil, "packets of other protocols"
}

// datagram looks at the one just decoded.
func (p *packets) datagram() (msg []byte, reason string) {
	switch {
	case p.udp.SrcPort == p.port && p.udp.DstPort != p.port:
		return nil, "responses"
	case p.udp.DstPort != p.port:
		return nil, "datagrams to other ports"
	case int(p.udp.Length) != 8+len(p.udp.Payload):
		return nil, "datagrams cut short by the capture"
	}
	return p.udp.Payload, ""
}

func firstLayer(link layers.LinkType, data []byte) gopacket.LayerType {
	// What pcap calls raw on some systems (its LINKTYPE_RAW is 101).
	const rawBSD, rawOpenBSD = 12, 14
	switch link {
	case layers.LinkTypeEthernet:
		return layers.LayerTypeEthernet
	case layers.LinkTypeNull, layers.LinkTypeLoop:
		return layers.LayerTypeLoopback
	case layers.LinkTypeLinuxSLL:
		return layers.LayerTypeLinuxSLL
	case layers.LinkTypeLinuxSLL2:
		return layers.LayerTypeLinuxSLL2
	case layers.LinkTypeRaw, layers.LinkTypeIPv4, layers.LinkTypeIPv6, rawBSD, rawOpenBSD:
		if len(data) > 0 && data[0]>>4 == 6 {
			return layers.LayerTypeIPv6
		}
		return layers.LayerTypeIPv4
	}
	return gopacket.LayerTypeZero
}

// parser returns the parser of packets that begin with that layer.
func (p *packets) parser(first gopacket.LayerType) *gopacket.DecodingLayerParser {
	if parser, ok := p.parsers[first]; ok {
		return parser
	}
	parser := gopacket.NewDecodingLayerParser(first,
		&p.ethernet, &p.vlan, &p.loopback, &p.sll, &p.sll2, &p.ip4, &p.ip6, &p.ext, &p.udp, &p.tcp)
	parser.IgnoreUnsupported = true
	p.parsers[first] = parser
	return parser
}
