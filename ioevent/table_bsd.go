//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package ioevent

func table() []Mechanism {
	return []Mechanism{
		mechanism("kqueue", true, openKqueue),
		mechanism("poll", false, openPoll),
		portable(),
		mechanism("spin", true, spinOver(openKqueue)).at(Spin),
	}
}
