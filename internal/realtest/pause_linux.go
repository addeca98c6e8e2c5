package realtest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Pause stops the server, with all its processes, until resume is called.
func (s *Server) Pause() (resume func(), err error) {
	pids := append([]int{s.process.Pid}, descendants(s.process.Pid)...)
	resume = func() { _ = signalAll(pids, syscall.SIGCONT) }
	if err := signalAll(pids, syscall.SIGSTOP); err != nil {
		resume()
		return nil, err
	}
	return resume, nil
}

func signalAll(pids []int, sig syscall.Signal) error {
	for _, pid := range pids {
		if err := syscall.Kill(pid, sig); err != nil {
			return fmt.Errorf("%v to process %d: %w", sig, pid, err)
		}
	}
	return nil
}

// descendants are the processes that pid has started, and they in turn.
func descendants(pid int) (list []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid)) // the pattern is right
	for _, file := range files {
		text, _ := os.ReadFile(file) // a thread that has ended has none
		for _, word := range strings.Fields(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				list = append(append(list, child), descendants(child)...)
			}
		}
	}
	return list
}
