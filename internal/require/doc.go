// Package require says what a test may do without: a skip is a failure where
// the environment promises everything, a suite runs over the mechanisms that
// the environment names, and a package's tests leave no goroutine and no
// descriptor behind.
//
// The environment is DNSQ_REQUIRE ("all": nothing may be skipped), DNSQ_BACKEND
// and DNSQ_POLLER (a name out of backend.List or ioevent.List; unset: every
// one). Only tests import this package.
package require
