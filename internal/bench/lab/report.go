package lab

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// SchemaVersion changes when a key of the envelope goes, or means something else.
const SchemaVersion = 1

// A Machine is what figures depend on.
type Machine struct {
	Kernel      string `json:"kernel"`
	System      string `json:"system"` // and architecture
	CPUs        int    `json:"cpus"`
	ClockSource string `json:"clock_source"`
	Go          string `json:"go"`
	Version     string `json:"version"` // of this program
}

// A Report is the envelope of every command's JSON.
type Report struct {
	Schema  int       `json:"schema"`
	Command string    `json:"command"`
	Date    time.Time `json:"date"`
	Machine Machine   `json:"machine"`
	Seed    uint64    `json:"seed"`
	Runs    int       `json:"runs"`
	Seconds float64   `json:"seconds"`
	Server  string    `json:"server"` // "" for a responder of our own
	Notes   []string  `json:"notes"`
	Results Result    `json:"results"`
}

// A Result is what a command has measured. Its exported fields are what the envelope holds under "results".
type Result interface {
	// Text is what the command prints.
	Text() string
	// Rows are the command's lines of the table of documents.
	Rows() []Row
	// Plots show the distributions.
	Plots() []Plot
}

// Report wraps a result of l.
func (l *Lab) Report(command string, m Machine, date time.Time, r Result) *Report {
	p := &Report{
		Schema: SchemaVersion, Command: command, Date: date.UTC().Truncate(time.Second), Machine: m,
		Seed: l.Seed, Runs: l.Runs, Seconds: l.Seconds, Notes: l.Notes, Results: r,
	}
	if l.Server.IsValid() {
		p.Server = l.Server.String()
	}
	if p.Notes == nil {
		p.Notes = []string{}
	}
	return p
}

// JSON is what a file has: the report where there is one, else a list.
func JSON(reports []*Report) ([]byte, error) {
	var all any = reports
	if len(reports) == 1 {
		all = reports[0]
	}
	b, err := json.MarshalIndent(all, "", "  ")
	return append(b, '\n'), err
}

// A Row sets what a document says beside what this machine says.
type Row struct {
	Question string // and under what circumstances
	Document string // its figures, "–" where it has none
	Here     string // this machine's, or why there are none
}

// Markdown is a table of the rows of several commands.
func Markdown(reports []*Report) string {
	var b strings.Builder
	b.WriteString("| question | the document | this machine | command |\n|---|---|---|---|\n")
	cell := strings.NewReplacer("|", `\|`, "\n", " ").Replace
	for _, r := range reports {
		for _, row := range r.Results.Rows() {
			fmt.Fprintf(&b, "| %s | %s | %s | `dnsq %s` |\n", cell(row.Question), cell(row.Document), cell(row.Here), r.Command)
		}
	}
	return b.String()
}
