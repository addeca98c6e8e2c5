package realtest

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the process killed when the test binary ends without
// cleaning up, as it does when it runs out of time.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
