// Package ioeventtest holds the tests that every poller has to pass, and a poller without an operating system.
//
// [TestMechanism] checks a [github.com/dnsq/dnsq/ioevent.Mechanism] sentence by sentence, and a loop on it. It uses real descriptors, real time with
// slack, and no network but loopback.
//
// [Poller] is a poller whose clock and readiness a test sets by hand: what runs on it is deterministic.
package ioeventtest
