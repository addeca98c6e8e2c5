package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/backend"
	"github.com/dnsq/dnsq/internal/machine"
	"github.com/dnsq/dnsq/ioevent"
)

// probeCommand shows what this machine offers.
func probeCommand(e *environment) *cobra.Command {
	var to string
	c := &cobra.Command{
		Use:   "probe",
		Short: "show the kernel, the clock, buffer limits, backends and pollers",
		Long:  probeHelp,
		Args:  noWords,
		RunE: func(*cobra.Command, []string) error {
			path, unanswered := pathTo(e, to)
			if unanswered != nil && !errors.Is(unanswered, errNoReply) {
				return unanswered
			}
			w := tabwriter.NewWriter(e.stdout, 0, 8, 2, ' ', 0)
			probeMachine(w)
			probeMechanisms(w)
			if to != "" {
				fmt.Fprintf(w, "to\t%s\n", path)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			return unanswered
		},
	}
	c.Flags().StringVar(&to, "to", "", "ask this `server` one query, and say whether busy polling can work on the way to it")
	return c
}

const probeHelp = `Show what this machine offers, and what is therefore used.

clock: the kernel's clock source, whether its vDSO serves it without a system call, what a read costs and how often a loop reads it. busy_poll and
busy_read: for how many microseconds poll and select, and receives, look at the network device before they sleep, unless a socket says
otherwise. backend and poller: those compiled in, the best first, and whether they work here; auto: which are used where none is named, and why.`

// probeMachine writes of the system and its settings.
func probeMachine(w io.Writer) {
	fmt.Fprintf(w, "dnsq\t%s\n", version())
	fmt.Fprintf(w, "kernel\t%s\n", kernel())
	fmt.Fprintf(w, "go\t%s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "cpus\t%d, GOMAXPROCS %d\n", runtime.NumCPU(), runtime.GOMAXPROCS(0))
	fmt.Fprintf(w, "clock\t%s\n", clockText(clockSource(), clockCost(), machine.ClockCall(), clockRule()))
	for _, name := range []string{"rmem_max", "wmem_max", "busy_poll", "busy_read"} {
		fmt.Fprintf(w, "%s\t%s\n", name, sysctl("net/core/"+name))
	}
}

// probeMechanisms writes of what can be chosen and what is.
func probeMechanisms(w io.Writer) {
	var list mechanisms
	for _, b := range backend.List() {
		list.add("backend", b.Name, ioevent.Sleep, b.Probe())
	}
	for _, p := range ioevent.List() {
		list.add("poller", p.Name, p.Latency, p.Probe())
	}
	fmt.Fprint(w, list.text.String()+list.auto.String())
}

// mechanisms are lines about what can be chosen, in the order of preference.
type mechanisms struct {
	text, auto strings.Builder
	kind       string   // of the last one that works and sleeps
	passed     []string // those of a kind, before the first that works, and why
}

// add takes the result of a probe. The first of its kind that works, and gives the processor away while it waits, is the one used without a choice.
func (l *mechanisms) add(kind, name string, latency ioevent.Latency, err error) {
	verdict := "ok"
	switch {
	case err != nil:
		verdict = "no: " + printable(err.Error())
		if l.kind != kind {
			l.passed = append(l.passed, name+" ("+printable(err.Error())+")")
		}
	case latency != ioevent.Sleep:
		verdict = "ok, on request"
	case l.kind != kind:
		l.kind = kind
		verdict = "ok, preferred"
		l.choose(kind, name)
	}
	fmt.Fprintf(&l.text, "%s\t%s: %s\n", kind, name, verdict)
}

// choose says what is used of a kind, and why.
func (l *mechanisms) choose(kind, name string) {
	why := "the first of them"
	if len(l.passed) > 0 {
		why = "the first of them that works, after " + strings.Join(l.passed, ", ")
	}
	l.passed = nil
	fmt.Fprintf(&l.auto, "auto\t%s %s: %s\n", kind, name, why)
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

// clockRule is how many turns of a loop share a read; 0 where there can be no loop.
func clockRule() int {
	l, err := ioevent.NewLoop(ioevent.Config{})
	if err != nil {
		return 0
	}
	defer l.Close()
	return l.ClockEvery()
}

// clockText says what a read costs, what it costs by system call (0: not known), and how often a loop therefore reads.
func clockText(source string, read, call time.Duration, rule int) string {
	text := source
	switch {
	case call == 0:
	case byVDSO(read, call):
		text += " by vDSO"
	default:
		text += " without vDSO"
	}
	text += fmt.Sprintf(", %d ns a read", read.Nanoseconds())
	if call > 0 {
		text += fmt.Sprintf(", %d by system call", call.Nanoseconds())
	}
	switch rule {
	case 0:
		return text
	case 1:
		return text + "; a loop reads it each turn"
	}
	return text + fmt.Sprintf("; a loop reads it when it slept, else each %d turns", rule)
}

// byVDSO tells from what a read costs, and a system call for it, whether it is none: vdso(7).
func byVDSO(read, call time.Duration) bool { return 3*read < 2*call }
