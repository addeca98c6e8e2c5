package main

import (
	"fmt"
	"strings"
)

// usage is the text of -h: the grammar, the options out of their tables, the subcommands out of theirs.
func usage(e *environment) string {
	var b strings.Builder
	b.WriteString(`Usage:
  dnsq [@server] [name] [type] [class] [+option …] [-option …]
  dnsq subcommand [--help]

The words come in any order; without a name . NS is asked, without a type A.
A server is ip, ip:port, ip#port or [ip6%zone]:port; @self is the built-in one.
Without one the nameserver lines of /etc/resolv.conf are asked.

Subcommands (as a name, write "-q NAME" or "NAME."):
`)
	for _, c := range subcommands(e) {
		fmt.Fprintf(&b, "  %-18s %s\n", c.Name(), c.Short)
	}
	b.WriteString("\nOptions:\n")
	writeOptions(&b, dashOptions(), "", " ")
	b.WriteString("\nQuery options (+no… turns one off):\n")
	writeOptions(&b, plusOptions(), "+", "=")
	b.WriteString("\nExit status: 0 reply, 1 wrong argument, 8 no batch file, 9 no reply, 10 other failure\n")
	return b.String()
}

// writeOptions writes one line for each option, with its other names.
func writeOptions(b *strings.Builder, options []option, mark, sep string) {
	for i := 0; i < len(options); {
		o := options[i]
		names := mark + o.name
		for i++; i < len(options) && options[i].help == ""; i++ {
			names += ", " + mark + options[i].name
		}
		switch {
		case strings.HasPrefix(o.arg, "["):
			names += o.arg
		case o.arg != "":
			names += sep + o.arg
		}
		fmt.Fprintf(b, "  %-18s %s\n", names, o.help)
	}
}
