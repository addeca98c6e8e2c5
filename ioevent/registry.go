package ioevent

import "math"

// A registration is what a Loop knows of one handler.
type registration struct {
	token   Token
	handler Handler // nil: the registration is free
	fd      int     // what is watched, -1: nothing

	next, prev *registration // in the ready list, if queued
	queued     bool
	ready      Interest // what has come
	turn       uint64   // when it was queued: it is not called in the same turn
}

// A registry finds registrations by token in O(1); its memory is that of the most there were at once. The lower half of a token is the
// index of its registration, the upper half counts the uses of that. So no token is given twice, and none is 0.
type registry struct {
	all  []*registration
	free []*registration
}

const oneUse Token = 1 << 32

func (g *registry) add(h Handler) *registration {
	n := len(g.free)
	if n == 0 {
		g.all = append(g.all, &registration{token: Token(len(g.all))})
		g.free, n = append(g.free, g.all[len(g.all)-1]), 1
	}
	r := g.free[n-1]
	g.free = g.free[:n-1]
	*r = registration{token: r.token + oneUse, handler: h, fd: -1}
	return r
}

// find returns nil for a token that is no longer registered.
func (g *registry) find(tok Token) *registration {
	i := tok % oneUse
	if i >= Token(len(g.all)) || g.all[i].token != tok || g.all[i].handler == nil {
		return nil
	}
	return g.all[i]
}

// drop frees r, which is in no list, for another use, unless the token would come round.
func (g *registry) drop(r *registration) {
	r.handler = nil
	if r.token/oneUse < math.MaxUint32 {
		g.free = append(g.free, r)
	}
}
