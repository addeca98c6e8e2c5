package main

import (
	"os"
	"os/exec"
)

// ownProgram runs this program again.
func ownProgram(args ...string) (*exec.Cmd, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(path, args...), nil
}
