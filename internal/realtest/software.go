package realtest

import (
	"embed"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

//go:embed conf
var conf embed.FS

// Software is a name server from Debian: its binary, named as its package is
// but for Knot's, and the file in conf that configures it.
type Software struct {
	Name, Package, Binary string
	Args                  []string // before the configuration file's path
	Control               []string // the program that it is asked by what it counted, and its words
	Caching               bool     // its TTLs run down
}

// List returns the servers there are to test with.
func List() []Software {
	return []Software{
		{Name: "knot", Package: "knot", Binary: "knotd", Args: []string{"-c"},
			Control: []string{"knotc", "-s", "knot.sock", "stats"}},
		{Name: "nsd", Package: "nsd", Binary: "nsd", Args: []string{"-d", "-c"},
			Control: []string{"nsd-control", "-c", "nsd.conf", "stats_noreset"}},
		{Name: "unbound", Package: "unbound", Binary: "unbound", Args: []string{"-d", "-c"}, Caching: true,
			Control: []string{"unbound-control", "-c", "unbound.conf", "stats_noreset"}},
	}
}

// settings is what the configurations are filled in from.
type settings struct {
	Dir    string
	Addr   netip.AddrPort
	Anchor string
	Zones  []zoneFile
}

type zoneFile struct{ Origin, File string }

// writeZones writes the zones into dir.
func writeZones(dir string, zones []Zone) ([]zoneFile, error) {
	var files []zoneFile
	for _, z := range zones {
		path := filepath.Join(dir, z.Origin+"zone")
		if err := z.WriteFile(path); err != nil {
			return nil, err
		}
		files = append(files, zoneFile{z.Origin, path})
	}
	return files, nil
}

// configure writes the configuration and returns its path.
func (s Software) configure(set settings) (path string, err error) {
	t, err := template.ParseFS(conf, "conf/"+s.Name+".conf")
	if err != nil {
		return "", fmt.Errorf("configuration of %s: %w", s.Name, err)
	}
	var text strings.Builder
	if err := t.Execute(&text, set); err != nil {
		return "", fmt.Errorf("configuration of %s: %w", s.Name, err)
	}
	path = filepath.Join(set.Dir, s.Name+".conf")
	return path, os.WriteFile(path, []byte(text.String()), 0o644)
}
