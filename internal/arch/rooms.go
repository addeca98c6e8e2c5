package arch

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/dnsq/dnsq/"

// Imports beside the standard library that stand in more than one line.
const (
	unix    = "golang.org/x/sys/unix"
	windows = "golang.org/x/sys/windows"
	miekg   = "github.com/miekg/dns"
	cobra   = "github.com/spf13/cobra"
	ipv4    = "golang.org/x/net/ipv4"
	ipv6    = "golang.org/x/net/ipv6"
	idna    = "golang.org/x/net/idna"
	hdr     = "github.com/HdrHistogram/hdrhistogram-go"
)

// restricted are the parts of the standard library that a room may import only
// where its line says so.
var restricted = []string{"C", "plugin", "syscall", "unsafe"}

// room is what one directory may import beside the standard library.
type room struct {
	rooms    []string            // of this module
	modules  []string            // others' packages and restricted ones
	platform []string            // the same, in files for some systems only
	in       map[string][]string // by a file's base name: in it alone
	support  bool                // exists for tests: only tests and other such rooms import it
}

// rooms is the house.
var rooms = map[string]room{
	"internal/sys": {modules: []string{"syscall"}, platform: []string{"unsafe", unix, windows}},
	"backend": {
		rooms:    []string{"internal/sys"},
		modules:  []string{"syscall"},
		platform: []string{"unsafe", unix, windows},
		in:       map[string][]string{"packet_linux.go": {ipv4, ipv6}},
	},
	"ioevent": {
		rooms:    []string{"internal/sys"},
		modules:  []string{"syscall"},
		platform: []string{"unsafe", unix, windows},
	},
	"internal/wire": {},
	"resolver": {
		rooms:   []string{"backend", "ioevent", "internal/wire"},
		modules: []string{miekg, idna, "github.com/maypok86/otter/v2", "github.com/fsnotify/fsnotify"},
	},
	"internal/machine":    {modules: []string{"syscall"}, platform: []string{unix}},
	"internal/netpair":    {platform: []string{unix}},
	"internal/responder":  {rooms: []string{"backend", "ioevent"}, modules: []string{miekg}, platform: []string{unix}},
	"internal/bench/stat": {modules: []string{"golang.org/x/perf/benchmath", "gonum.org/v1/gonum/mathext"}},
	"internal/bench/lab": {
		rooms:    []string{"internal/bench/stat"},
		modules:  []string{"github.com/go-analyze/charts"},
		platform: []string{"syscall", unix},
	},
	"internal/bench/busypoll": {rooms: []string{"internal/sys"}, platform: []string{unix}},
	"internal/bench/wait":     {rooms: []string{"ioevent"}, platform: []string{"unsafe", unix}},
	"internal/load/result":    {modules: []string{hdr}},
	"internal/load/queries":   {rooms: []string{"internal/wire"}, modules: []string{miekg, "github.com/gopacket/gopacket", "github.com/gopacket/gopacket/layers", "github.com/gopacket/gopacket/pcapgo"}},
	"internal/load": {
		rooms:   []string{"resolver", "backend", "ioevent", "internal/machine", "internal/load/result", "internal/load/queries"},
		modules: []string{miekg, hdr},
	},
	"internal/load/report": {
		rooms:   []string{"internal/load/result"},
		modules: []string{hdr, "github.com/go-analyze/charts"},
	},
	"internal/load/compare": {rooms: []string{"internal/load/result", "internal/bench/stat"}, modules: []string{hdr}},
	"cmd/dnsq": {
		rooms: []string{
			"internal/load", "internal/load/result", "internal/load/queries", "internal/load/report", "internal/load/compare",
			"resolver", "backend", "ioevent", "internal/machine", "internal/responder", "internal/bench/lab", "internal/bench/stat",
			"internal/bench/busypoll", "internal/bench/wait", "internal/netpair",
		},
		modules: []string{miekg, cobra, hdr, "github.com/prometheus/client_golang/prometheus", "github.com/prometheus/client_golang/prometheus/promhttp"},
	},

	"backend/backendtest": {
		rooms: []string{"backend", "internal/require"}, modules: []string{"syscall"}, platform: []string{unix}, support: true,
	},
	"ioevent/ioeventtest": {
		rooms: []string{"ioevent", "internal/require"}, modules: []string{"syscall"}, platform: []string{unix}, support: true,
	},
	"internal/arch":          {support: true},
	"internal/bench/compare": {rooms: []string{"internal/load/result", "internal/machine", "internal/realtest"}, support: true},
	"internal/bench/gopeers": {modules: []string{miekg}, support: true},
	"internal/dnstest":       {rooms: []string{"internal/require"}, modules: []string{miekg}, platform: []string{unix}, support: true},
	"internal/realtest": {
		rooms: []string{"internal/require", "resolver"}, modules: []string{miekg, idna}, platform: []string{"syscall"}, support: true,
	},
	"internal/load/truth": {support: true},
	"internal/golden":     {modules: []string{"github.com/google/go-cmp/cmp"}, support: true},
	"internal/nettest":    {rooms: []string{"internal/netpair", "internal/require"}, support: true},
	"internal/require":    {modules: []string{"go.uber.org/goleak"}, support: true},
	"internal/vectors":    {support: true},
}

// inTests are the modules that any test may import.
var inTests = []string{
	"github.com/google/go-cmp/cmp",
	"github.com/google/go-cmp/cmp/cmpopts",
	"github.com/rogpeppe/go-internal/testscript",
	"go.uber.org/goleak",
	miekg,
}

// apart are rooms that do not know each other, in their tests either.
var apart = map[string]string{"backend": "ioevent", "ioevent": "backend"}

// imports holds every line of the table above.
func imports(f *File) []string {
	r, ok := rooms[f.room()]
	if !ok {
		return []string{f.problem(f.syntax.Package, "no line in the table of rooms for %s", f.room())}
	}
	var problems []string
	for _, spec := range f.syntax.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		if !f.mayImport(r, name) {
			problems = append(problems, f.problem(spec.Pos(), "%s may not import %s here", f.room(), name))
		}
	}
	return problems
}

func (f *File) mayImport(r room, name string) bool {
	if own, ok := strings.CutPrefix(name, module); ok {
		return f.mayEnter(r, own)
	}
	host, _, _ := strings.Cut(name, "/")
	switch {
	case !strings.Contains(host, ".") && !slices.Contains(restricted, name):
		return true
	case slices.Contains(r.modules, name), slices.Contains(r.in[path.Base(f.Path)], name):
		return true
	case f.test():
		return slices.Contains(inTests, name) || name == "syscall" || f.platform() && name == unix
	}
	return f.platform() && slices.Contains(r.platform, name)
}

// mayEnter decides about another room of this module.
func (f *File) mayEnter(r room, other string) bool {
	far, isApart := apart[f.room()]
	switch {
	case isApart && (other == far || strings.HasPrefix(other, far+"/")):
		return false
	case slices.Contains(r.rooms, other):
		return true
	case f.test():
		return other == f.room() || r.support || rooms[other].support || other == "internal/responder"
	}
	return false
}
