//go:build !linux

package ioevent

func table() []Mechanism { return []Mechanism{portable()} }
