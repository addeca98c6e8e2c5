package dnstest

import (
	"sync"

	"github.com/miekg/dns"
)

// maxLog bounds the requests that a Server remembers whole; it counts all.
const maxLog = 1 << 16

// Counts are numbers of things that reached a server.
type Counts struct {
	// UDP and TCP are queries.
	UDP, TCP int
	// Conns are accepted connections; 0 in the counts of one question.
	Conns int
	// Junk are messages that were no query, over either transport; 0 in the
	// counts of one question. The handler does not see them.
	Junk int
}

// ledger keeps the counts and the log of a Server.
type ledger struct {
	mu    sync.Mutex
	total Counts
	asked map[key]Counts
	log   []Request
}

// add enters a query and returns its number among those of the same question
// and transport.
func (l *ledger) add(q Request) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.asked == nil {
		l.asked = make(map[key]Counts)
	}
	k := keyOf(q.Question)
	c := l.asked[k]
	n := 0
	if q.Transport == TCP {
		l.total.TCP++
		c.TCP++
		n = c.TCP
	} else {
		l.total.UDP++
		c.UDP++
		n = c.UDP
	}
	l.asked[k] = c
	q.N = n
	if len(l.log) < maxLog {
		l.log = append(l.log, q)
	}
	return n
}

func (l *ledger) addConn() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total.Conns++
}

func (l *ledger) addJunk() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total.Junk++
}

// Counts returns what has reached the server so far.
func (s *Server) Counts() Counts {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	return s.ledger.total
}

// Asked returns how often the question (class IN) has reached the server. Name
// is compared without regard to case.
func (s *Server) Asked(name string, qtype uint16) Counts {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	return s.ledger.asked[keyOf(dns.Question{Name: name, Qtype: qtype, Qclass: dns.ClassINET})]
}

// Queries returns the queries that have reached the server, oldest first, at
// most 65,536 of them.
func (s *Server) Queries() []Request {
	s.ledger.mu.Lock()
	defer s.ledger.mu.Unlock()
	return append([]Request(nil), s.ledger.log...)
}
