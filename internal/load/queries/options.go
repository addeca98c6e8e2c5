package queries

// Format is how queries are written in a file.
type Format uint8

const (
	// Detect tells captures and Stream by their first octets, everything else is Text.
	Detect Format = iota
	// Text has a name and a type a line, and what the query asks for besides: see TextHelp.
	Text
	// Update has blocks of lines, each a dynamic update (RFC 2136), as dnsperf -u reads them.
	Update
	// Stream has messages behind their lengths in two octets, as they go over TCP (RFC 1035 4.2.2): dnsperf -B.
	Stream
	// Capture is pcap or pcapng, with the times of its packets.
	Capture
)

// Options says how a list is read and what its queries ask for. The zero value does what dnsperf does: RD, no EDNS.
type Options struct {
	Format Format
	// Type is that of names which none is written behind, and of generated ones; 0: A.
	Type uint16
	// Ask is what queries ask for that say nothing else. Stream and Capture are sent as they are.
	Ask Ask
	// Port is that which a capture's queries go to; 0: 53.
	Port uint16
	// Rounds is how many times a list is gone through; 0: without end.
	Rounds int
	// SkipBad counts lines and messages that are no good; otherwise the first is an error.
	SkipBad bool
}

func (o *Options) typ() uint16 {
	if o.Type == 0 {
		return typeA
	}
	return o.Type
}

func (o *Options) port() uint16 {
	if o.Port == 0 {
		return 53
	}
	return o.Port
}

// TextHelp says how a query is written in a text file.
const TextHelp = `A line is a name, a type (A if it has none) and what the query asks for besides:

  example.com AAAA +do +edns=1232 +ecs=192.0.2.0/24

  +edns[=SIZE] +noedns   an OPT record with that UDP size (1232), or none at all
  +do +nodo              DNSSEC records
  +cd +nocd              no validation
  +ad +noad              whether the answer was validated
  +rd +nord              recursion: asked for by default
  +nsid +nonsid          the server's name (RFC 5001)
  +ecs=PREFIX +noecs     the client's subnet (RFC 7871)
  +opt=CODE:HEX +noopt   an EDNS option; more than one may be given

A class may stand between name and type. E and D behind the type are +edns and +do.
Lines that begin with ; or # and what follows a ; behind a space are comments.
`

// UpdateHelp says how dynamic updates are written in a file.
const UpdateHelp = `A block of lines is an update: the zone, what has to be so, what is to change, send.

  example.com
  require NAME [TYPE [DATA]]
  prohibit NAME [TYPE]
  add NAME TTL TYPE DATA
  delete NAME [TYPE [DATA]]
  send

Names without a final dot are below the zone; @ is the zone itself.
`
