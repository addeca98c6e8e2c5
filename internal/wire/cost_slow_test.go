//go:build race || wasm

package wire

// slower is what the race detector or WebAssembly costs at most.
const slower = 20
