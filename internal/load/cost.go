package load

import "github.com/dnsq/dnsq/resolver"

// cost is what the engine of a shard counted in the measured part.
type cost struct {
	dropped            uint64
	syscalls           uint64
	made, failed, shut uint64 // TCP connections
	recvBuffer         int
}

func costOf(end, base *resolver.Stats) cost {
	return cost{
		dropped:    end.Socket.Dropped - base.Socket.Dropped,
		syscalls:   end.Socket.Syscalls + end.Loop.Syscalls - base.Socket.Syscalls - base.Loop.Syscalls,
		made:       end.Dials - end.DialsFailed - base.Dials + base.DialsFailed,
		failed:     end.DialsFailed - base.DialsFailed,
		shut:       end.HungUp - base.HungUp,
		recvBuffer: end.Socket.RecvBuffer,
	}
}

func (c *cost) add(o *cost) {
	c.dropped += o.dropped
	c.syscalls += o.syscalls
	c.made += o.made
	c.failed += o.failed
	c.shut += o.shut
	c.recvBuffer = max(c.recvBuffer, o.recvBuffer)
}
