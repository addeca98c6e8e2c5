// Package resolver is an asynchronous DNS stub resolver: it asks name servers and gives back what they answered.
//
// A [Resolver] is what most programs want. It is made once, used by any number of goroutines, and closed at the end:
//
//	r, err := resolver.New(resolver.Config{Servers: servers})
//	addrs, err := r.LookupNetIP(ctx, "ip", "www.example.com")
//	answer, err := r.Exchange(ctx, resolver.Question{Name: "example.com", Type: dns.TypeMX})
//
// Exchange and LookupNetIP block their goroutine. [Resolver.Submit] does not: it takes a [Query] and calls its Done, once, whatever happens. An
// [Engine] is a Resolver without goroutines, for a program that has a loop already.
//
// # How a query goes
//
// Submit only queues. Once a turn the engine sends everything queued, a batch to a server and socket at a time, and starts a timer for each query. What
// comes in is matched on raw octets: socket and ID find the query, then address, QR, opcode and question must fit, and only then is the message
// walked, whole and in place. What does not fit is counted ([Stats]) and changes nothing, so that a forged or broken datagram never ends a
// query, and Config.Stray is told of it. When all of a batch has been matched the callbacks run.
//
// A try lasts Config.Timeout. After it, after an ICMP error and after SERVFAIL, REFUSED or another failure code the next server is asked, at once;
// a server that failed is asked last for ten seconds. A truncated reply is asked for again over TCP, where queries to a server share one
// connection, or as many as [TCPPolicy] says. A server that answers FORMERR, NOTIMP or BADVERS is asked once more without EDNS, unless the query wanted something of it, and the last try to
// a server that stays silent goes without EDNS too. A query costs at most Tries messages to each server, and one more for each of these. With a
// Deadline the tries share the time that is left, so that every server is reached before it ends.
//
// A query with the flag [Once] is none of this: it is one message to one server, and whatever comes of it. With a message of the caller's (Query.Raw)
// it is what a program needs that counts what it sends. [Server].Local has it leave from an address of this machine's.
//
// # Answers and errors
//
// What the DNS says no to is not an error: NXDOMAIN and SERVFAIL are an [Answer] with that Rcode. An [*Error] says that there was no answer, names the
// reason for [errors.Is] (ErrTimeout, ErrClosed, ErrBusy, ErrCanceled or one of package backend's) and lists every attempt. It converts to a
// *net.DNSError under [errors.As]. Only LookupNetIP, which has nothing else to return, makes errors of NXDOMAIN and of an empty answer.
//
// # Forgery
//
// A reply must come from the server's address and port to the socket the query left from, with the query's ID and question. IDs come from
// crypto/rand. Source ports are a trade-off that [PortPolicy] sets: a fresh random port for each query while few are in flight to a server, a
// rotated pool of them above that, and a few fixed ones to servers on loopback, which nobody off the machine can answer for. Three replies that look
// guessed make the engine ask over TCP besides. Address lookups take records only from the alias chain that starts at the name asked.
//
// # Concurrency
//
// A Resolver's methods may be called from any goroutine. It has Config.Shards engines, each on a goroutine of its own, where Done runs: short, and
// without blocking. Submit, Cancel and Close may be called inside Done; a blocking call returns an error there. A panic in Done is recovered, counted
// and handed to Config.Panic. An Engine is one goroutine's, in every method: that turns it
// from a loop of its own (IOEvent and Timeouts), leaves that to it (Run), or has a schedule and wants to be back in time (Turn).
//
// A blocking call that finds an engine with nothing to do runs it itself, on its own goroutine, until it has its answer, so that a lone lookup sends, waits
// and receives without a hand-over between threads. It looks for the answer for a moment before it sleeps, where that pays (Config.Spin). Where there is other traffic the engine's goroutine takes over, and keeps it while calls
// keep meeting. Done of a query that was submitted is called on the engine's goroutine either way.
package resolver
