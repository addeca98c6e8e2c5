//go:build !race && !wasm

package wire

const slower = 1
