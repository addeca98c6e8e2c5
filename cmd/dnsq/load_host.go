package main

import (
	"bufio"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

// hostFacts are what a reader has to know of this machine, as far as it tells.
func hostFacts() result.Host {
	limit, _ := strconv.Atoi(sysctl("net/core/rmem_max")) // 0: it does not tell
	return result.Host{
		System:    kernel() + " " + buildSetting("GOARCH"),
		CPU:       fieldOf("/proc/cpuinfo", "model name"),
		CPUs:      runtime.NumCPU(),
		Affinity:  fieldOf("/proc/self/status", "Cpus_allowed_list"),
		Clock:     clockSource(),
		Go:        runtime.Version(),
		RecvLimit: limit,
	}
}

// fieldOf is what stands behind a name and a colon in a file.
func fieldOf(path, name string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// buildSetting is what the program was built for.
func buildSetting(key string) string {
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			if s.Key == key {
				return s.Value
			}
		}
	}
	return ""
}
