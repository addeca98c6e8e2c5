// Package result is what a load run found: the numbers behind every report, their names in JSON, and how a file of them is read again.
//
// A run counts on several shards. Once a second each hands over a [Tick] and starts another; ticks of one second are added up and become a
// [Second], for who watches the run and for what is charted later, and at the end a [Result]. Nothing here is shared between goroutines.
//
// # The accounts
//
// Every query that a plan has is in one place of each line at the end:
//
//	planned = sent + unsent (behind, window, refused by this machine)
//	sent    = completed + lost (client_drop, send_error, icmp, closed, late, timeout) + interrupted
//
// What came and answered nothing that was outstanding is counted by kind in [Strays]; those that are late are the answers to the lost of that name.
//
// # The file
//
// [Write] makes one JSON object of a Result, schema "dnsq-load/1"; [Read] takes no other. The fields are those of [Result] under the names of their
// tags, in the units given there. Lists are never null. A distribution is there twice: as the figures of a [Latency], and whole in [Histograms],
// which [Decode] reads, as any HdrHistogram does.
package result
