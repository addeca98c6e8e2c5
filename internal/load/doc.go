// Package load runs load against name servers, on resolver.Engine, and tells the truth about what came of it.
//
// A [Plan] says what to do, [Run] does it and returns a result.Result. A closed plan keeps so many queries outstanding; an open one has an instant
// for each query, from a [Profile] of rates and an [Arrival] law, and sends it then, whatever the servers do. What could not be sent on time is
// counted, never made up for in a burst.
//
// A run has shards. Each is an engine on an operating system thread of its own, with its own part of the queries, of the schedule and of the
// window, and counts for itself; once a second it hands what it counted to the one goroutine that adds up. Nothing else is shared.
//
// [FindMax] looks for the highest rate at which an [SLO] holds, [Calibrate] for what this machine can do at all.
package load
