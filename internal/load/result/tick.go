package result

import "github.com/HdrHistogram/hdrhistogram-go"

// A Tick is what one shard did in one second. Queries are counted where they are sent, and answers and losses where they come.
type Tick struct {
	At    int // as Second.At
	Shard int

	Target    float64 // of the plan, this shard's part, a second; 0 in a closed one
	Sent      uint64
	Completed uint64
	Lost      Lost
	Unsent    Unsent
	Strays    Strays
	InFlight  int

	Response, Service, Pacing *hdrhistogram.Histogram // of what was counted in this second
}

// NewTick returns an empty one.
func NewTick(shard, at int) *Tick {
	return &Tick{Shard: shard, At: at, Response: NewHistogram(), Service: NewHistogram(), Pacing: NewHistogram()}
}

// Add adds another shard's tick of the same second.
func (t *Tick) Add(o *Tick) {
	t.Target += o.Target
	t.Sent += o.Sent
	t.Completed += o.Completed
	t.InFlight += o.InFlight
	t.Lost.Add(&o.Lost)
	t.Unsent.Add(&o.Unsent)
	t.Strays.Add(&o.Strays)
	t.Response.Merge(o.Response)
	t.Service.Merge(o.Service)
	t.Pacing.Merge(o.Pacing)
}

// Second is what t says of its second.
func (t *Tick) Second() Second {
	l := LatencyOf(t.Response)
	return Second{
		At: t.At, Target: t.Target, Sent: t.Sent, Completed: t.Completed, Lost: t.Lost.Total(), Unsent: t.Unsent.Behind + t.Unsent.Window,
		InFlight: t.InFlight, Min: l.Min, Mean: l.Mean, P50: l.P50, P99: l.P99, Max: l.Max, Heat: heatOf(t.Response),
	}
}

// Add adds o to l.
func (l *Lost) Add(o *Lost) {
	l.ClientDrop += o.ClientDrop
	l.SendError += o.SendError
	l.ICMP += o.ICMP
	l.Closed += o.Closed
	l.Late += o.Late
	l.Timeout += o.Timeout
}

// Add adds o to u.
func (u *Unsent) Add(o *Unsent) {
	u.Behind += o.Behind
	u.Window += o.Window
}

// Add adds o to s.
func (s *Strays) Add(o *Strays) {
	s.Late += o.Late
	s.Duplicate += o.Duplicate
	s.Mismatched += o.Mismatched
	s.Unsolicited += o.Unsolicited
	s.Malformed += o.Malformed
}
