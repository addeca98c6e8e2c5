package ioevent

func table() []Mechanism {
	return []Mechanism{
		mechanism("edge", true, openEdge),
		mechanism("level", false, openLevel),
		mechanism("poll", false, openPoll),
		portable(),
		mechanism("busy", true, openBusy).at(Busy),
		mechanism("spin", true, spinOver(openEdge)).at(Spin),
	}
}
