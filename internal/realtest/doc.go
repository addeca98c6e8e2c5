// Package realtest holds dnsq against name servers as the world runs them: it
// turns the Public Suffix List into a zone, serves it with Unbound, Knot DNS
// and NSD on loopback, asks each of them ten thousand questions over UDP and
// over TCP, and compares every answer with what dig makes of the same
// question.
//
//	go test ./internal/realtest
//
// runs it all, with -short a tenth of the questions. It needs Debian's packages
// unbound, knot, nsd, publicsuffix and bind9-dnsutils; what is not there is
// skipped, or fails where DNSQ_REQUIRE is all.
//
// Knot and NSD answer as authorities. Unbound answers as a validating cache in
// front of the same zone files, so TTLs run down there and AD means something.
// Nothing leaves the loopback interface.
//
// Only tests import this package, and programs that measure with such a server
// on the other side.
package realtest
