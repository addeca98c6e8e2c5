package backend

import (
	"net"

	"golang.org/x/net/ipv4"
	"golang.org/x/net/ipv6"
	"golang.org/x/sys/unix"
)

// netBatch is how many datagrams one call of the net backend moves at most.
const netBatch = 16

// slotSize is the memory for each; a longer datagram goes on in memory that all of a batch share.
const slotSize = 2048

// batchConn is what ipv4.PacketConn and ipv6.PacketConn have in common.
type batchConn interface {
	ReadBatch(ms []ipv4.Message, flags int) (int, error)
	WriteBatch(ms []ipv4.Message, flags int) (int, error)
}

func newBatchConn(s *netSocket) batchConn {
	if s.local.Addr().Is4() {
		return ipv4.NewPacketConn(s.conn)
	}
	return ipv6.NewPacketConn(s.conn)
}

// batchReader receives with recvmmsg(2) by way of x/net.
type batchReader struct {
	socket *netSocket
	conn   batchConn
	*batchMemory
}

type batchMemory struct {
	messages []ipv4.Message
	batch    []Datagram
	long     Arena // its overflow is the second buffer of every message
}

func newPacketReader(s *netSocket) packetReader {
	m, _ := s.arena.idle.Get().(*batchMemory)
	if m == nil {
		m = newBatchMemory()
	}
	return &batchReader{socket: s, conn: newBatchConn(s), batchMemory: m}
}

func newBatchMemory() *batchMemory {
	m := &batchMemory{messages: make([]ipv4.Message, netBatch), batch: make([]Datagram, netBatch)}
	slots := make([]byte, netBatch*slotSize)
	for i := range m.messages {
		buf := slots[i*slotSize:][:slotSize:slotSize]
		m.messages[i].Buffers = [][]byte{buf, m.long.tail()}
		m.batch[i].Buf = buf
	}
	return m
}

func (r *batchReader) done() { r.socket.arena.idle.Put(r.batchMemory) }

func (r *batchReader) read() ([]Datagram, error) {
	n, err := r.conn.ReadBatch(r.messages, 0)
	if err != nil {
		return nil, err
	}
	last := -1
	for i := range n {
		m, d := &r.messages[i], &r.batch[i]
		d.Truncated = m.N > len(d.Buf)
		d.Data, d.Addr = d.Buf[:min(m.N, len(d.Buf))], r.socket.remote
		if from, ok := m.Addr.(*net.UDPAddr); ok && !d.Addr.IsValid() {
			d.Addr = unmap(from.AddrPort())
		}
		if d.Truncated {
			last = i
		}
	}
	if last >= 0 {
		d := &r.batch[last]
		d.Data, d.Truncated = r.long.join(d.Buf, r.messages[last].N), r.messages[last].Flags&unix.MSG_TRUNC != 0
	}
	return r.batch[:n], nil
}

// batchWriter sends with sendmmsg(2) by way of x/net.
type batchWriter struct {
	conn      batchConn
	connected bool
	messages  []ipv4.Message
	addrs     []net.UDPAddr
}

func newPacketWriter(s *netSocket) packetWriter {
	w := &batchWriter{conn: newBatchConn(s), connected: s.remote.IsValid(),
		messages: make([]ipv4.Message, netBatch), addrs: make([]net.UDPAddr, netBatch)}
	for i := range w.messages {
		w.messages[i].Buffers = make([][]byte, 1)
	}
	return w
}

func (w *batchWriter) room() int { return netBatch }

func (w *batchWriter) write(batch []Datagram) (n int, err error) {
	for i := range batch {
		m := &w.messages[i]
		m.Buffers[0] = batch[i].Data
		if w.connected {
			continue
		}
		addr, to := &w.addrs[i], batch[i].Addr
		addr.IP, addr.Port, addr.Zone = append(addr.IP[:0], to.Addr().Unmap().AsSlice()...), int(to.Port()), to.Addr().Zone()
		m.Addr = addr
	}
	for n < len(batch) {
		sent, err := w.conn.WriteBatch(w.messages[n:len(batch)], 0)
		n += max(sent, 0)
		if err != nil || sent <= 0 {
			return n, err
		}
	}
	return n, nil
}
