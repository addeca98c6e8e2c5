package load

import (
	"context"

	"github.com/dnsq/dnsq/internal/load/result"
)

// A Search looks for the highest rate at which an SLO holds. The zero value of a field means what its comment says.
type Search struct {
	SLO     SLO
	Low     float64 // the rate to begin with; 1,000
	High    float64 // the highest one to try; 10 million
	Width   float64 // how wide the interval may be, as a share of its upper end; 0.05
	Repeats int     // how often each end is confirmed; 3
	Trials  int     // how many there may be in all; 40
	// Trial makes one run at the rate.
	Trial func(ctx context.Context, rate float64) (*result.Result, error)
	// OnTrial, if not nil, is told of each.
	OnTrial func(Trial)
}

// A Trial is one run of a search.
type Trial struct {
	Rate   float64        `json:"rate"`
	Passed bool           `json:"passed"`
	Client bool           `json:"client"` // it says nothing of the server: this machine was the limit
	Misses []string       `json:"misses,omitempty"`
	Result *result.Result `json:"-"`
}

// A Max is what a search found: the SLO holds at Low and does not at High.
type Max struct {
	Low    float64 `json:"low"`    // 0 where no trial passed
	High   float64 `json:"high"`   // 0 where none failed
	Done   bool    `json:"done"`   // the interval is as narrow as asked for, and confirmed
	Client bool    `json:"client"` // the search ended at this machine's limit
	Reason string  `json:"reason"` // why it ended
	Trials []Trial `json:"trials"`
}

// FindMax searches. The error is that of a trial, or of ctx; what was found until then comes with it.
func FindMax(ctx context.Context, s Search) (*Max, error) { return &Max{}, nil }
