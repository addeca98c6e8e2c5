package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Processors, so that neither side takes the other's time.
const (
	clientProcessor    = 0
	responderProcessor = 1
)

// longestRun bounds one run of a client.
const longestRun = 2 * time.Minute

// result is what one run of a client printed, by key.
type result map[string]float64

// pinned is args on one processor, or as they are where there is no taskset.
func pinned(processor int, args []string) []string {
	path, err := exec.LookPath("taskset")
	if err != nil {
		return args
	}
	return append([]string{path, "-c", strconv.Itoa(processor)}, args...)
}

// runClient runs a client of n queries to its end.
func runClient(args []string, n int) (result, error) {
	out, cpu, err := runPinned(args)
	if err != nil {
		return nil, err
	}
	r := read(out)
	if _, ok := r["cpu_ns"]; !ok {
		r["cpu_ns"] = float64(cpu) / float64(n)
	}
	return r, nil
}

// runPinned runs a client to its end and returns what it printed and the processor's time that it took, user and system.
func runPinned(args []string) (out string, cpu time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), longestRun)
	defer cancel()
	args = pinned(clientProcessor, args)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	text, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s: %w", strings.Join(args, " "), err)
	}
	if cmd.ProcessState != nil {
		cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	return string(text), cpu, err
}

// read picks the pairs whose values are numbers.
func read(text string) result {
	r := result{}
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		if x, err := strconv.ParseFloat(value, 64); err == nil {
			r[key] = x
		}
	}
	return r
}
