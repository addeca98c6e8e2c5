package queries

import "time"

// A Query is the next one to send.
type Query struct {
	// Raw is the whole message, with ID 0. It is valid until the next call of Next on the same source.
	Raw []byte
	// Type is the question's, or the opcode's name for what is no query: for the report.
	Type uint16
	// At is when it was sent in the recording, since its first one; 0 for what has no times.
	At time.Duration
}

// A Source gives one shard its queries, on that shard's goroutine.
type Source interface {
	// Next sets *q to the next query. It is false where there is none left.
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
