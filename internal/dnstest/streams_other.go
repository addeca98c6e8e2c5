//go:build !js

package dnstest

// Streams says whether Start serves TCP beside UDP. Not on js/wasm: in the
// network that Go fakes there, both draw on the same ports.
const Streams = true
