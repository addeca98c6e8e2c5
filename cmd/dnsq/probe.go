package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/ioevent"
)

// probeCommand shows what this machine offers.
func probeCommand(e *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "probe",
		Short: "show the kernel, the clock, buffer limits, backends and pollers",
		Args:  noWords,
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(e.stdout, 0, 8, 2, ' ', 0)
			fmt.Fprintf(w, "dnsq\t%s\n", version())
			fmt.Fprintf(w, "kernel\t%s\n", kernel())
			fmt.Fprintf(w, "go\t%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
			fmt.Fprintf(w, "cpus\t%d, GOMAXPROCS %d\n", runtime.NumCPU(), runtime.GOMAXPROCS(0))
			fmt.Fprintf(w, "clock\t%s, %d ns a read\n", clockSource(), clockCost().Nanoseconds())
			fmt.Fprintf(w, "rmem_max\t%s\n", sysctl("net/core/rmem_max"))
			fmt.Fprintf(w, "wmem_max\t%s\n", sysctl("net/core/wmem_max"))
			var list mechanisms
			for _, b := range backend.List() {
				list.add("backend", b.Name, b.Probe())
			}
			for _, p := range ioevent.List() {
				list.add("poller", p.Name, p.Probe())
			}
			fmt.Fprint(w, list.text.String())
			return w.Flush()
		},
	}
}

// mechanisms are lines about what can be chosen, in the order of preference.
type mechanisms struct {
	text strings.Builder
	kind string // of the last one that works
}

// add takes the result of a probe. The first of its kind that works is the one used without a choice.
func (l *mechanisms) add(kind, name string, err error) {
	verdict := "ok"
	switch {
	case err != nil:
		verdict = "no: " + printable(err.Error())
	case l.kind != kind:
		l.kind = kind
		verdict = "ok, preferred"
	}
	fmt.Fprintf(&l.text, "%s\t%s: %s\n", kind, name, verdict)
}

func kernel() string {
	return sysctl("kernel/ostype") + " " + sysctl("kernel/osrelease")
}

// sysctl reads a setting of Linux; elsewhere it is unknown.
func sysctl(name string) string { return firstLine(filepath.Join("/proc/sys", name)) }

func clockSource() string {
	return firstLine("/sys/devices/system/clocksource/clocksource0/current_clocksource")
}

func firstLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return "unknown"
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return printable(line)
}

// clockCost measures what one read of the loop's clock takes.
func clockCost() time.Duration {
	const reads = 10_000
	begin := ioevent.Now()
	for range reads {
		ioevent.Now()
	}
	return time.Duration(ioevent.Now()-begin) / reads
}
