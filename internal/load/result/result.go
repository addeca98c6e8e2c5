package result

import "time"

// Schema names the JSON of a Result and its version. Fields may be added under one version; none changes its meaning or goes.
const Schema = "dnsq-load/1"

// A Result is one finished run. Lengths of time are in microseconds where the name ends in us, rates are a second, CPU is in nanoseconds a
// completed query. What was sent in the warm-up is in none of the counts.
type Result struct {
	Schema  string    `json:"schema"`  // the constant of that name
	Version string    `json:"version"` // of dnsq
	Command []string  `json:"command"` // the program and its arguments
	Seed    uint64    `json:"seed"`    // the same one gives the same names, arrivals and choices
	Start   time.Time `json:"start"`   // of the measured part
	Plan    Plan      `json:"plan"`    // what was asked for
	Host    Host      `json:"host"`    // what it ran on

	Seconds   float64 `json:"seconds"`   // the length of the measured part, without the wait for what was outstanding at its end
	Planned   uint64  `json:"planned"`   // what should have been sent
	Sent      uint64  `json:"sent"`      // what was
	Completed uint64  `json:"completed"` // what was answered in time
	QPS       float64 `json:"qps"`       // completed
	Rate      float64 `json:"rate"`      // sent

	Verdict string   `json:"verdict"` // Valid, or Invalid
	Reasons []Reason `json:"reasons"` // why it is invalid, or what a reader has to know
	Unsent  Unsent   `json:"unsent"`  // planned and not sent, by why
	Lost    Lost     `json:"lost"`    // sent and not answered in time, by why
	// Interrupted were outstanding when the run was cut short.
	Interrupted uint64 `json:"interrupted"`
	Strays      Strays `json:"strays"` // messages that answered nothing

	Response        Latency  `json:"response_us"`               // from the intended instant
	ResponseTimeout Latency  `json:"response_with_timeouts_us"` // each timeout taken as an answer after that long
	Service         Latency  `json:"service_us"`                // from the send
	Pacing          Latency  `json:"pacing_us"`                 // how late the sends were
	Queued          *Latency `json:"queued_us,omitempty"`       // in our receive queue, by the kernel's stamps
	Late            *Latency `json:"late_us,omitempty"`         // of answers that came after the timeout
	CPU             float64  `json:"cpu_ns"`                    // user and system
	UserCPU         float64  `json:"user_ns"`                   // in the program
	SystemCPU       float64  `json:"system_ns"`                 // in the kernel
	Syscalls        float64  `json:"syscalls"`                  // a completed query

	Types       []TypeRow   `json:"types"`       // of queries, with the rcodes they got
	Truncated   uint64      `json:"truncated"`   // answers with TC set
	SentOctets  uint64      `json:"sent_octets"` // of messages
	Octets      uint64      `json:"octets"`      // of answers
	Connections Connections `json:"connections"` // over TCP
	Targets     []Target    `json:"targets"`     // a server's part each
	Shards      []ShardRow  `json:"shards"`      // one sick shard must not pass as a server's tail

	BySecond   []Second   `json:"by_second"`  // in their order, the warm-up's too
	Histograms Histograms `json:"histograms"` // whole distributions
}

// The verdicts.
const (
	Valid   = "valid"
	Invalid = "invalid"
)

// The codes of reasons. Those up to CodeUnreachable make a result invalid.
const (
	CodeClientDrop  = "client-drop"  // datagrams were dropped in our own receive queue
	CodeBehind      = "behind"       // what should have been sent was not sent on time
	CodeClientBound = "client-bound" // the result is near what this machine can do at all
	CodeSendError   = "send-error"   // this machine refused sends
	CodeUnreachable = "unreachable"  // no server answered
	CodeInterrupted = "interrupted"  // a signal cut the run short; what was measured counts
	CodeWindow      = "window"       // the bound on outstanding queries held back the rate
	CodeNote        = "note"
)

// A Reason is a thing to know about a result.
type Reason struct {
	Code string `json:"code"` // one of those above
	Text string `json:"text"` // a sentence without its full stop
}

// Plan is what was asked for.
type Plan struct {
	Mode         string   `json:"mode"`              // "closed" or "open"
	Transport    string   `json:"transport"`         // "udp" or "tcp"
	Servers      []string `json:"servers"`           // address and port
	Rate         string   `json:"rate,omitempty"`    // the profile of an open plan, as given
	Target       float64  `json:"target,omitempty"`  // its mean rate
	Arrival      string   `json:"arrival,omitempty"` // "constant", "poisson" or "recorded"
	Outstanding  int      `json:"outstanding"`       // as many at most
	Clients      int      `json:"clients"`           // sockets or connections to a server
	Threads      int      `json:"threads"`           // shards
	Warmup       float64  `json:"warmup_seconds"`    // before what counts
	Seconds      float64  `json:"seconds"`           // of what counts; 0 for any number
	Count        uint64   `json:"count,omitempty"`   // of queries, after which the run ends; 0: no such end
	Rounds       int      `json:"rounds,omitempty"`  // times through the list of queries; 0 for any number
	Timeout      float64  `json:"timeout_seconds"`   // of a query
	Queries      string   `json:"queries"`           // where they come from
	Backend      string   `json:"backend"`           // how datagrams are moved
	Poller       string   `json:"poller"`            // how readiness is told
	Trains       bool     `json:"trains"`            // several queries leave as one segmented send
	RecvBuffer   int      `json:"receive_buffer"`    // octets granted
	KernelStamps bool     `json:"kernel_stamps"`     // answers are timed when the kernel has them
}

// Host is what the run ran on.
type Host struct {
	System    string `json:"system"`   // name, release, architecture
	CPU       string `json:"cpu"`      // its model
	CPUs      int    `json:"cpus"`     // how many are online
	Affinity  string `json:"affinity"` // those that may be used
	Clock     string `json:"clock"`    // the kernel's source
	Go        string `json:"go"`       // the version it was built with
	RecvLimit int    `json:"rmem_max"` // octets that a receive buffer may ask for
}

// Unsent is what a plan had and did not send.
type Unsent struct {
	Behind uint64 `json:"behind"` // its instant had passed by too much
	Window uint64 `json:"window"` // as many were outstanding as may be
}

// Lost is what was sent and not answered in time.
type Lost struct {
	ClientDrop uint64 `json:"client_drop"` // answers that the kernel dropped at our receive queue
	SendError  uint64 `json:"send_error"`  // the system refused the send
	ICMP       uint64 `json:"icmp"`        // the network said that it did not arrive
	Closed     uint64 `json:"closed"`      // its connection was closed, or could not be made
	Late       uint64 `json:"late"`        // its answer came after the timeout
	Timeout    uint64 `json:"timeout"`     // nothing is known
}

// Total is their sum.
func (l *Lost) Total() uint64 {
	return l.ClientDrop + l.SendError + l.ICMP + l.Closed + l.Late + l.Timeout
}

// Strays are messages that answered no outstanding query.
type Strays struct {
	Late        uint64 `json:"late"`        // the answer to a query that was given up
	Duplicate   uint64 `json:"duplicate"`   // to one that was answered
	Mismatched  uint64 `json:"mismatched"`  // an ID that was outstanding, another question
	Unsolicited uint64 `json:"unsolicited"` // nothing of ours
	Malformed   uint64 `json:"malformed"`   // a reply that cannot be read
}

// Latency is a distribution, in microseconds; zero where Count is.
type Latency struct {
	Count  uint64  `json:"count"`  // of all that follows
	Min    float64 `json:"min"`    // the least
	Mean   float64 `json:"mean"`   // the sum by the count
	Stddev float64 `json:"stddev"` // standard deviation
	P50    float64 `json:"p50"`    // half are not more
	P75    float64 `json:"p75"`    // 75 % are not more; and so on
	P90    float64 `json:"p90"`    // 90 %
	P95    float64 `json:"p95"`    // 95 %
	P99    float64 `json:"p99"`    // 99 %
	P999   float64 `json:"p999"`   // 99.9 %
	P9999  float64 `json:"p9999"`  // 99.99 %
	Max    float64 `json:"max"`    // the most
}

// TypeRow is what became of the queries of one type.
type TypeRow struct {
	Type   string            `json:"type"`   // by name; the opcode's for what is no query
	Sent   uint64            `json:"sent"`   // with that type
	Rcodes map[string]uint64 `json:"rcodes"` // by name
}

// Connections counts those over TCP.
type Connections struct {
	Made   uint64 `json:"made"`   // established
	Failed uint64 `json:"failed"` // could not be
	Closed uint64 `json:"closed"` // by the server
}

// Target is one server's part.
type Target struct {
	Server    string  `json:"server"`      // address and port
	Sent      uint64  `json:"sent"`        // to it
	Completed uint64  `json:"completed"`   // by it
	Response  Latency `json:"response_us"` // from the intended instant
	Service   Latency `json:"service_us"`  // from the send
}

// ShardRow is one shard's part.
type ShardRow struct {
	Sent      uint64  `json:"sent"`        // by it
	Completed uint64  `json:"completed"`   // of those
	Response  Latency `json:"response_us"` // from the intended instant
}

// Second is one second of a run, all shards together.
type Second struct {
	At        int     `json:"at"`               // seconds since the start of the measured part; negative in the warm-up
	Target    float64 `json:"target,omitempty"` // of the plan, a second
	Sent      uint64  `json:"sent"`             // in this second
	Completed uint64  `json:"completed"`        // in it, whenever they were sent
	Lost      uint64  `json:"lost"`             // given up in it
	Unsent    uint64  `json:"unsent"`           // whose instant was in it
	InFlight  int     `json:"in_flight"`        // at its end
	Min       float64 `json:"min_us"`           // of the response time
	Mean      float64 `json:"mean_us"`          // the sum by the count
	P50       float64 `json:"p50_us"`           // half are not more
	P99       float64 `json:"p99_us"`           // 99 % are not more
	Max       float64 `json:"max_us"`           // the most
	// Heat counts the completed by response time: bucket i is for those of HeatBound(i) up to HeatBound(i+1).
	Heat []uint64 `json:"heat,omitempty"`
}

// Histograms are whole distributions in nanoseconds, in HdrHistogram's compressed text form (V2, base64). Empty where nothing was counted.
type Histograms struct {
	Response string `json:"response"` // from the intended instant
	Service  string `json:"service"`  // from the send
	Pacing   string `json:"pacing"`   // how late the sends were
	// ResponseTimeout has each timeout as an answer after that long.
	ResponseTimeout string `json:"response_with_timeouts,omitempty"`
}
