// Package backendtest holds what tests of datagram code need: a conformance suite for backends and a network in memory.
//
// [TestBackend] holds a [backend.Backend] to every sentence of its contract; each subtest is named after the sentence.
//
// A [Network] connects sockets of its own backend to servers written against net.PacketConn and net.Listener, and loses, delays, reorders and
// duplicates what they send. It runs in a bubble of testing/synctest: with nothing but its timer, a delay of two seconds is exact and
// takes no time.
package backendtest
