package queries

import "time"

// A Query is the next one to send.
type Query struct {
	// Raw is the whole message, with ID 0. It is valid until the next call of Next on the same source, and may be memory that all shards share:
	// it is not to be written to.
	Raw []byte
	// Type is the question's, of an update the zone's: SOA.
	Type uint16
	// Opcode is 0 for a query, 5 for an update.
	Opcode uint8
	// At is when it was sent in the recording, since its first one; 0 for what has no times. It never goes back, and rounds follow each other.
	At time.Duration
}

// A Source gives one shard its queries, on that shard's goroutine.
type Source interface {
	// Next sets *q to the next query. It is false where there is none left, and stays so.
	Next(q *Query) bool
}

// A Set is where queries come from: what all shards of a run share and only read.
type Set interface {
	// Part returns the source of shard i of n. The same seed gives the same queries; all parts together give each query of a list once a round.
	Part(i, n int, seed uint64) Source
	// Timed reports whether the queries have recorded times.
	Timed() bool
	// String says what they are, for the report: a file and how many it has, or a generator and what it was given.
	String() string
}
