package main

import "fmt"

// printable writes what is not printable ASCII as \DDD, so that no text from outside moves the cursor of a terminal.
func printable(s string) string { return string(appendPrintable(nil, s)) }

func appendPrintable[T string | []byte](dst []byte, s T) []byte {
	for i := range len(s) {
		if c := s[i]; c >= ' ' && c <= '~' {
			dst = append(dst, c)
		} else {
			dst = fmt.Appendf(dst, `\%03d`, c)
		}
	}
	return dst
}
