package resolver

import "testing"

// model is the protocol of baton, inbox and waker in steps that are atomic, for two callers that may lead, two that leave something in the inbox, and
// the shard's goroutine. Tried are all orders of the steps there are.
type model struct {
	state    uint32
	tokens   int8 // in baton.turn
	notified bool // the waker's
	inbox    int8 // what was left there and not taken
	flight   int8 // in the engine
	p        [5]process
}

// process is where one of them is in its program, and where it goes on after a call.
type process struct{ at, then step }

type step uint8

const (
	atDone step = iota
	// Putting something into the inbox, and baton.call.
	atPut
	atLook
	atClaim
	atToken
	atWake
	// A leader.
	atLead
	atAsk
	atCheck
	atFallAsleep
	atAsleep
	atGiveUp
	atLeftOver
	atHandOver
	// The shard's goroutine.
	atAwait
	atTake
	atPonder
	atLoopAsleep
	atLoopGiveUp
	atLoopLeftOver
)

// fault is an error built into the model, which has to find it.
type fault uint8

const (
	noFault fault = iota
	noSecondLook
	wakeBeforePut
	claimWithoutCompare
	leadWithoutCheck
	faults
)

// owns reports whether a process that is at s turns the loop.
func (s step) owns() bool {
	return s >= atAsk && s <= atGiveUp || s == atHandOver || s >= atTake && s <= atLoopGiveUp
}

// next returns what can come of the step that process i is at, nothing where it is blocked; reply says that only a reply lets it go on.
func (m model) next(i int, f fault) (after []model, reply bool) {
	p := &m.p[i]
	to := func(s step) []model { p.at = s; return []model{m} }
	switch {
	case p.at < atLead:
		return m.calls(p, to, f), false
	case p.at < atAwait:
		return m.leads(p, to, f)
	}
	return m.loops(p, to, f)
}

func (m *model) calls(p *process, to func(step) []model, f fault) []model {
	switch p.at {
	case atPut:
		m.inbox++
		if f == wakeBeforePut {
			return to(atDone)
		}
		return to(atLook)
	case atLook:
		switch {
		case m.state == parked:
			return to(atClaim)
		case p.then == atAwait:
			return to(atAwait) // the shard's goroutine gave up and wakes nobody
		}
		return to(atWake)
	case atClaim:
		if m.state != parked && f != claimWithoutCompare {
			return to(atLook)
		}
		m.state = looping
		return to(atToken)
	case atToken:
		m.tokens++
		return to(p.then)
	case atWake:
		m.notified = true
		return to(p.then)
	}
	return nil // done
}

func (m *model) leads(p *process, to func(step) []model, f fault) (after []model, reply bool) {
	switch p.at {
	case atLead:
		if m.state != parked {
			if f == wakeBeforePut {
				p.then = atPut
				return to(atLook), false
			}
			return to(atPut), false
		}
		m.state = led
		return to(atAsk), false
	case atAsk:
		m.flight++
		return to(atCheck), false
	case atCheck:
		switch {
		case m.flight == 0:
			return to(atGiveUp), false
		case m.inbox > 0 && f != leadWithoutCheck:
			return to(atHandOver), false
		}
		return append(to(atFallAsleep), to(atHandOver)...), false // its context may end at any time
	case atFallAsleep, atAsleep:
		if m.notified {
			m.notified = false
			return to(atCheck), false
		}
		if p.at == atFallAsleep {
			return to(atAsleep), false
		}
		m.flight--
		return to(atCheck), true
	case atGiveUp:
		m.state = parked
		return to(atLeftOver), false
	case atLeftOver:
		if m.inbox > 0 && f != noSecondLook {
			return to(atLook), false
		}
		return to(atDone), false
	case atHandOver:
		m.state = looping
		return to(atToken), false
	}
	return nil, false
}

func (m *model) loops(p *process, to func(step) []model, f fault) (after []model, reply bool) {
	switch p.at {
	case atAwait:
		if m.tokens == 0 {
			return nil, false
		}
		m.tokens--
		return to(atTake), false
	case atTake:
		m.flight += m.inbox
		m.inbox, m.notified = 0, false
		return to(atPonder), false
	case atPonder:
		after = to(atLoopAsleep)
		if m.flight == 0 {
			after = append(after, to(atLoopGiveUp)...)
		}
		return after, false
	case atLoopAsleep:
		if m.notified {
			m.notified = false
			return to(atTake), false
		}
		if m.flight == 0 {
			return nil, false
		}
		m.flight--
		return to(atPonder), true
	case atLoopGiveUp:
		m.state = parked
		return to(atLoopLeftOver), false
	case atLoopLeftOver:
		if m.inbox > 0 && f != noSecondLook {
			return to(atLook), false
		}
		return to(atAwait), false
	}
	return nil, false
}

// explore returns what is wrong with the protocol, "" where nothing is, and the number of states.
func explore(f fault) (wrong string, states int) {
	first := model{p: [5]process{{at: atLead}, {at: atLead}, {at: atPut}, {at: atPut}, {at: atAwait, then: atAwait}}}
	if f == wakeBeforePut {
		first.p[2], first.p[3] = process{atLook, atPut}, process{atLook, atPut}
	}
	seen := map[model]bool{first: true}
	for work := []model{first}; len(work) > 0; {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		if wrong := m.wrong(f); wrong != "" {
			return wrong, len(seen)
		}
		for i := range m.p {
			after, _ := m.next(i, f)
			for _, n := range after {
				if !seen[n] {
					seen[n] = true
					work = append(work, n)
				}
			}
		}
	}
	return "", len(seen)
}

// wrong says what must not be.
func (m model) wrong(f fault) string {
	owners, moves := 0, false
	for i, p := range m.p {
		if p.at.owns() {
			owners++
		}
		after, reply := m.next(i, f)
		moves = moves || len(after) > 0 && !reply
	}
	switch {
	case owners > 1:
		return "two turn the loop"
	case m.tokens > 1:
		return "a token is sent where there is one"
	case !moves && m.inbox > 0:
		return "nobody looks at what is in the inbox"
	case !moves && m.tokens > 0:
		return "a token is left"
	}
	return ""
}

// TestBatonModel: in no order of steps do two turn the loop, or is something left lying.
func TestBatonModel(t *testing.T) {
	wrong, states := explore(noFault)
	if t.Logf("%d states", states); wrong != "" || states < 1000 {
		t.Errorf("%s, %d states", wrong, states)
	}
	for f := noFault + 1; f < faults; f++ {
		if wrong, _ := explore(f); wrong == "" {
			t.Errorf("the model does not find fault %d", f)
		} else {
			t.Logf("fault %d: %s", f, wrong)
		}
	}
}
