package load

import "fmt"

// Arrival is the law of an open plan's instants.
type Arrival uint8

// The laws there are.
const (
	Constant Arrival = iota // evenly spaced
	Poisson                 // independent of each other
	Recorded                // as in the recording that the queries come from
)

func (a Arrival) String() string {
	switch a {
	case Constant:
		return "constant"
	case Poisson:
		return "poisson"
	case Recorded:
		return "recorded"
	}
	return fmt.Sprintf("arrival %d", uint8(a))
}

// ParseArrival reads the name of a law.
func ParseArrival(s string) (Arrival, error) {
	for _, a := range []Arrival{Constant, Poisson, Recorded} {
		if s == a.String() {
			return a, nil
		}
	}
	return 0, fmt.Errorf("arrival %q: there is constant, poisson and recorded", s)
}
