//go:build !race

package wire

const slower = 1
