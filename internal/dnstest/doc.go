// Package dnstest is a scripted name server for tests: it answers each question
// as a Handler says, over UDP and TCP on one port, and can get everything wrong
// that a server or a network gets wrong.
//
//	s := dnstest.Start(t, dnstest.Transports(
//		dnstest.All(dnstest.WrongID(dnstest.A("192.0.2.66")), dnstest.Truncated()),
//		dnstest.Split(1, 0, dnstest.A("192.0.2.1"))))
//
// A Handler is a step. Some steps answer (A, Answer, Rcode, HeaderOnly, Vector,
// Raw), some change what another step sends (WrongID, First, AsAsked, Split,
// OneWrite, CloseAfter), some choose among steps (Seq, Transports, EDNS, Each)
// or order them (All, After, Gather). A test that needs something else writes a
// function.
//
// Replies are built with miekg/dns, not with this module's own code, so that a
// mistake there does not hide itself here.
//
// A Server uses only channels and package time, so on an in-memory network
// (StartOn) it runs inside testing/synctest. Close, which the test's cleanup
// calls too, waits for every goroutine.
//
// Hold is a different server: it does nothing but hold replies and release many
// at once, so that the system calls a client makes are the client's own.
package dnstest
