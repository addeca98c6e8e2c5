// Package responder is a small authoritative name server over UDP and TCP for tests, demonstrations and measurements, fast, and bad on demand.
// Without other zones it serves those of zone.txt, which are built into it:
//
//	example.com.                  one of everything: addresses, MX, TXT, SRV, CAA, alias chains, a wildcard, odd octets
//	big.example.com.              100 addresses: too big for the usual EDNS size, so the answer comes over TCP
//	huge.example.com.             512 addresses: too big for any UDP size in use
//	<any name>.any.test.          exists: A 192.0.2.1, AAAA 2001:db8::1, TXT
//	2.0.192.in-addr.arpa., …      the addresses' names, two of them hostile to terminals
//
// Other names are refused, or have the records of a pattern. Zones also come from files (RFC 1035). Names below a delegation get a referral, names
// that are not there what the wildcard of the closest encloser has (RFC 4592), or a denial with the SOA record. Every reply is packed when
// the zones are loaded; answering a query is one map lookup and a copy.
//
// It ignores responses and what is shorter than a header, answers FORMERR to garbage, NOTIMP to other opcodes and BADVERS to other versions
// of EDNS, honours the client's EDNS size (TC and empty sections where the answer does not fit) and repeats its DO bit. It signs nothing, and
// of DNAME it knows the record alone.
//
// # Threads
//
// Each thread turns a loop (package ioevent) and has a socket (package backend) for each address: a turn receives a batch, and its replies
// leave together, as trains where neighbours go to one client and are of one length. Replies that find the socket full wait, 4,096 of them; what
// is beyond is dropped. Each TCP connection has a goroutine, and a timer where answers are late.
//
// # Faults
//
// A query meets [Faults] in the order of their doc comment; all threads and connections share them. With one thread and one client, the same seed
// loses the same queries and draws the same delays. An answer that is late leaves at the time of its query's turn and the delay, give or take what the
// poller takes to wake (ioevent.Spin: some µs). For the limit a query comes when its turn begins, unless the thread was late for that: then queries
// count as come one after the other since it should have looked. A stall is the threads asleep: the kernel's queue fills, and may overflow.
//
// # Counting
//
// [Stats] accounts for every message received: the kinds add up. What the kernel dropped, because the receive queue was full, is apart.
package responder
