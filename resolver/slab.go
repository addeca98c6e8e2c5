package resolver

// chunk is how many queries a slab grows by. So many fill a size class of the runtime's allocator, 13,568 octets, to the last few.
const chunk = 67

// number is a query's place in the slab, from 1; 0 is none. It is half as long as a pointer, and the garbage collector does not look at it.
type number uint32

// slab holds the pending queries of an engine. They do not move, and those that are free are used again, so that a query allocates nothing.
type slab struct {
	chunks []*[chunk]pending
	free   *pending // linked by next
}

// at returns query n, which was taken.
func (s *slab) at(n number) *pending { return &s.chunks[(n-1)/chunk][(n-1)%chunk] }

// take returns a clean pending.
func (s *slab) take() *pending {
	if s.free == nil {
		s.grow()
	}
	p := s.free
	s.free, p.next = p.next, nil
	p.reset()
	return p
}

// put takes back p, which is detached from everything.
func (s *slab) put(p *pending) { p.next, s.free = s.free, p }

func (s *slab) grow() {
	first := number(len(s.chunks)*chunk) + 1
	c := new([chunk]pending)
	s.chunks = append(s.chunks, c)
	for i := chunk - 1; i >= 0; i-- {
		p := &c[i]
		p.number, p.msg = first+number(i), p.short[:0]
		p.timer.Init(p)
		s.put(p)
	}
}
