//go:build !linux

package resolver_test

const stampedHere = false // sockets with a descriptor say when a datagram came
