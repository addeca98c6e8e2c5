package load

import "github.com/dnsq/dnsq/internal/load/result"

// A post carries the ticks of all shards to who collects them, and empty ones back.
type post struct {
	full  chan *result.Tick
	empty chan *result.Tick
	open  bool
}

// postSize is how many ticks may wait: a shard would stop for the rest.
const postSize = 4096

func newPost(open bool) *post {
	return &post{full: make(chan *result.Tick, postSize), empty: make(chan *result.Tick, 256), open: open}
}

func (p *post) put(t *result.Tick) { p.full <- t }

// blank returns an empty tick.
func (p *post) blank(shard, at int) *result.Tick {
	select {
	case t := <-p.empty:
		t.Shard, t.At = shard, at
		return t
	default:
		return p.make(shard, at)
	}
}

func (p *post) make(shard, at int) *result.Tick {
	t := result.NewTick(shard, at)
	if !p.open {
		t.Response = t.Service // in a closed plan they are the same, so one is kept
	}
	return t
}

// takeBack empties a tick and keeps it for the next second.
func (p *post) takeBack(t *result.Tick) {
	t.Response.Reset()
	t.Service.Reset()
	t.Pacing.Reset()
	*t = result.Tick{Response: t.Response, Service: t.Service, Pacing: t.Pacing}
	select {
	case p.empty <- t:
	default:
	}
}
