//go:build !linux

package realtest

import "os/exec"

// dieWithParent does nothing: this system does not offer it.
func dieWithParent(*exec.Cmd) {}
