//go:build !race

package ioeventtest

const raceEnabled = false
