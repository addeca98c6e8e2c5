package dnstest

// Streams says whether Start serves TCP beside UDP. Not here: in the network
// that Go fakes within the process, both draw on the same ports.
const Streams = false
