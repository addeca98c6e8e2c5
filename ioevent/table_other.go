//go:build !unix

package ioevent

func table() []Mechanism { return []Mechanism{portable()} }
