//go:build !linux

package backend

// plainReader receives one datagram at a time, in a call that allocates nothing.
type plainReader struct {
	socket *netSocket
	buf    *[maxDatagram]byte
	one    [1]Datagram
}

func newPacketReader(s *netSocket) packetReader {
	buf, _ := s.arena.idle.Get().(*[maxDatagram]byte)
	if buf == nil {
		buf = new([maxDatagram]byte)
	}
	return &plainReader{socket: s, buf: buf}
}

func (r *plainReader) done() { r.socket.arena.idle.Put(r.buf) }

func (r *plainReader) read() ([]Datagram, error) {
	remote := r.socket.remote
	n, from, err := r.socket.conn.ReadFromUDPAddrPort(r.buf[:])
	// A connected socket is the kernel's filter; the network that js has in memory does not know it.
	for err == nil && remote.IsValid() && unmap(from) != unmap(remote) {
		n, from, err = r.socket.conn.ReadFromUDPAddrPort(r.buf[:])
	}
	if err != nil {
		return nil, err
	}
	r.one[0] = Datagram{Data: r.buf[:n], Addr: unmap(from)}
	if remote.IsValid() {
		r.one[0].Addr = remote
	}
	return r.one[:], nil
}

// plainWriter sends one datagram at a time.
type plainWriter struct{ socket *netSocket }

func newPacketWriter(s *netSocket) packetWriter { return plainWriter{s} }

func (w plainWriter) room() int { return 1 }

func (w plainWriter) write(batch []Datagram) (n int, err error) {
	if w.socket.remote.IsValid() {
		_, err = w.socket.conn.Write(batch[0].Data)
	} else {
		_, err = w.socket.conn.WriteToUDPAddrPort(batch[0].Data, batch[0].Addr)
	}
	if err != nil {
		return 0, err
	}
	return 1, nil
}
