//go:build unix && !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package ioevent

func table() []Mechanism {
	return []Mechanism{
		mechanism("poll", false, openPoll),
		portable(),
		mechanism("spin", false, spinOver(openPoll)).at(Spin),
	}
}
