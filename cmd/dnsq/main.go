// Dnsq asks name servers and prints what they say as dig does.
//
// # Usage
//
//	dnsq [@server] [name] [type] [class] [+option …] [-option …]
//	dnsq reflect [--listen ip:port] [--zone file] [--pattern] [--delay 5ms] [--jitter 2ms] [--loss 20%] [--tc] [--rcode SERVFAIL]
//	             [--stall 200ms@2s] [--limit-qps 20000] [--stats 1s] …
//	dnsq probe [--to server]
//	dnsq bench engine -s server [--outstanding n] [--api engine|submit|exchange|lookup] …
//	dnsq bench recv [--vs cell,cell] [--distribution] …
//	dnsq bench budget [--antagonists n] …
//	dnsq bench busypoll [--netns] …
//	dnsq bench all [--markdown]
//	dnsq load -s server [-Q rate | -q outstanding] [-d file] [-l seconds] …
//	dnsq load compare result.json … -- result.json …
//
// The words come in any order. A word is a type or a class if all of it is the name of one (MX, TYPE65432, CH, CLASS3), else it is the name; there is
// no guessing inside words, and -q, -t and -c take a word for what they say. What -t or -c has said is not looked for among the words. Without a
// name, . NS is asked; without a type, A. Names are absolute, with or without the final dot; \DDD and \X are octets as in zone files.
//
// A server is ip, ip:port, ip#port or [ip6%zone]:port; several are asked in their order. Without one they are the nameserver lines of
// /etc/resolv.conf, and 127.0.0.1 and ::1 where it has none. @self is a responder inside the process; "dnsq reflect" runs the same one by itself
// until it is interrupted, and "go doc internal/responder" lists its zones. That can serve other zones, answer late or not at all, and says what became
// of the queries; "dnsq reflect --help" has it all.
//
//	$ dnsq @self +short alias.example.com
//	www.example.com.
//	192.0.2.80
//
// A first word that is a subcommand is the subcommand. The name is asked with -q or a final dot:
//
//	dnsq -q probe
//	dnsq probe.
//
// "dnsq -h" lists the options. An option that begins with + may be cut as long as only one begins so, and turned round with no in front.
// A batch (-f) has the arguments of one query on each line; lines that are empty or begin with # or ; are skipped, and a bad one does not end it.
//
// # Output
//
// As that of dig 9.18, on the standard output, its messages about servers that gave no reply included. What the user got wrong goes to standard
// error: one line that says what would be right. Octets that are not printable ASCII are written \DDD everywhere.
//
// # Exit status
//
//	0   a reply came, NXDOMAIN and SERVFAIL included
//	1   an argument is wrong
//	3   of load: --fail-on or --slo is not kept to, or a comparison came out worse
//	4   of load: the result is invalid
//	5   of load: a comparison is undecided
//	8   the batch file cannot be read
//	9   no server replied (to one of a batch, at least; to none of a bench or a load; to a probe)
//	10  something else failed
//
// # Environment
//
// DNSQ_BACKEND and DNSQ_POLLER are used where --backend and --poller are not given.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

// Exit codes, dig's.
const (
	exitOK       = 0
	exitUsage    = 1
	exitBatch    = 8
	exitNoReply  = 9
	exitInternal = 10
)

// Exit codes of load, beside those.
const (
	exitMissed    = 3
	exitInvalid   = 4
	exitUndecided = 5
)

// subcommands is the table of what dnsq does besides asking.
func subcommands(e *environment) []*cobra.Command {
	return []*cobra.Command{
		probeCommand(e),
		reflectCommand(e),
		benchCommand(e),
		loadCommand(e),
	}
}

// environment is what of the world outside a run sees.
type environment struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	resolvConf     string      // path
	program        lab.Program // this one again
	command        []string    // as it was called
}

func main() {
	os.Exit(run(&environment{os.Stdin, os.Stdout, os.Stderr, os.Getenv, "/etc/resolv.conf", ownProgram, os.Args}, os.Args[1:]))
}

// run does what args, without the program's name, say and returns the exit code.
func run(e *environment, args []string) int {
	if len(args) > 0 {
		for _, c := range subcommands(e) {
			if c.Name() == args[0] {
				return e.exit(execute(e, c, args))
			}
		}
	}
	return ask(e, args)
}

// execute runs one subcommand. Cobra parses its flags; it cannot parse dig's grammar.
func execute(e *environment, c *cobra.Command, args []string) error {
	root := &cobra.Command{Use: "dnsq", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(c)
	root.SetArgs(args)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usagef("%v; see %s --help", err, c.CommandPath())
	})
	return root.Execute()
}

// errNoReply means that no server replied.
var errNoReply = errors.New("no reply")

// usageError is what the user has to put right, said in one line.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func (e usageError) Unwrap() error { return e.error }

// exit reports err, if any, on one line and returns the code for it.
func (e *environment) exit(err error) int {
	if err == nil {
		return exitOK
	}
	fmt.Fprintf(e.stderr, "dnsq: %s\n", printable(err.Error()))
	switch {
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.Is(err, errNoReply):
		return exitNoReply
	case errors.Is(err, errMissed), errors.Is(err, errWorse):
		return exitMissed
	case errors.Is(err, errInvalid):
		return exitInvalid
	case errors.Is(err, errUndecided):
		return exitUndecided
	}
	return exitInternal
}

// version is the module's, as the Go command recorded it.
func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "(devel)"
}
