package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/dnsq/dnsq/resolver"
)

// option is one row of the tables below.
type option struct {
	name string // without its mark
	arg  string // what the help calls its value, "" for none
	help string
	// set takes the value; "no" in front of a plus option makes on false.
	set func(r *request, on bool, value string) error
}

// setBits makes a set that turns bits on, or off where the option says the opposite of the bit.
func setBits(bits resolver.Flags, opposite bool) func(*request, bool, string) error {
	return func(r *request, on bool, _ string) error {
		r.flags &^= bits
		if on != opposite {
			r.flags |= bits
		}
		return nil
	}
}

func overTCP(r *request, on bool, value string) error {
	r.hasTCP = true
	return setBits(resolver.OverTCP, false)(r, on, value)
}

// plusOptions are dig's, those of them that there are. Rows without help are other names of the one before.
func plusOptions() []option {
	return []option{
		{"tcp", "", "ask over TCP from the start", overTCP},
		{"vc", "", "", overTCP},
		{"short", "", "print the data of the answer only", func(r *request, on bool, _ string) error { r.short = on; return nil }},
		{"recurse", "", "set RD, as by default", setBits(resolver.NoRecurse, true)},
		{"rdflag", "", "", setBits(resolver.NoRecurse, true)},
		{"dnssec", "", "set DO: send signatures too", dnssec},
		{"do", "", "", dnssec},
		{"cdflag", "", "set CD: do not validate", setBits(resolver.CheckingDisabled, false)},
		{"adflag", "", "set AD, as by default: say whether it was validated", setBits(resolver.AuthenticData, false)},
		{"edns", "[=0]", "send an OPT record, as by default", edns},
		{"bufsize", "[=N]", "EDNS payload size offered, 512 to 65535 octets; 1232 by default", bufsize},
		{"ignore", "", "take a truncated UDP reply, do not ask again over TCP", setBits(resolver.IgnoreTruncation, false)},
		{"time", "N", "seconds that a try waits; 2 by default", timeout},
		{"timeout", "N", "", timeout},
		{"tries", "N", "how often each server may be asked, up to 100; 3 by default", tries},
	}
}

func dnssec(r *request, on bool, value string) error {
	if on {
		r.flags &^= resolver.NoEDNS // the bit is in the OPT record
	}
	return setBits(resolver.DNSSEC, false)(r, on, value)
}

func edns(r *request, on bool, version string) error {
	if version != "" && version != "0" {
		return usagef("+edns=%s: the only version of EDNS is 0", version)
	}
	return setBits(resolver.NoEDNS, true)(r, on, "")
}

func bufsize(r *request, _ bool, value string) error {
	r.udpSize = 0
	if value == "" {
		return nil
	}
	n, err := number("+bufsize", value, 65535)
	r.udpSize = uint16(max(n, 512)) // RFC 6891 6.2.3: smaller ones mean 512
	return err
}

func timeout(r *request, _ bool, value string) error {
	n, err := number("+time", value, 65535)
	r.timeout = time.Duration(max(n, 1)) * time.Second // 0 is 1, as with dig
	return err
}

func tries(r *request, _ bool, value string) error {
	n, err := number("+tries", value, 100)
	r.tries = max(n, 1)
	return err
}

func number(option, value string, most int) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > most {
		return 0, usagef("%s=%s: write a number from 0 to %d", option, value, most)
	}
	return n, nil
}

// plus takes an option that begins with +, by its name or a beginning that means one option only.
func (r *request) plus(word string) error {
	name, value, hasValue := strings.Cut(word[1:], "=")
	name, off := strings.CutPrefix(strings.ToLower(name), "no")
	found := matching(plusOptions(), name)
	switch {
	case len(found) == 0:
		return usagef("%s: no such option; there are %s", word, optionNames(plusOptions(), "+"))
	case len(found) > 1:
		return usagef("%s: could be any of %s", word, optionNames(found, "+"))
	}
	o := found[0]
	required := o.arg != "" && o.arg[0] != '['
	switch {
	case hasValue && (o.arg == "" || off):
		return usagef("%s: this option takes no value", word)
	case required && off:
		return usagef("%s: there is no opposite; write +%s=%s", word, o.name, o.arg)
	case required && value == "":
		return usagef("%s: write +%s=%s", word, o.name, o.arg)
	}
	return o.set(r, !off, value)
}

// matching returns the option of that name, or those whose names begin with it, each once.
func matching(options []option, name string) []option {
	var found []option
	meant := -1 // the row that the last one found is another name of
	row := -1
	for i, o := range options {
		if o.help != "" {
			row = i
		}
		switch {
		case o.name == name:
			return []option{o}
		case name != "" && strings.HasPrefix(o.name, name) && meant != row:
			found = append(found, o)
			meant = row
		}
	}
	return found
}

func optionNames(options []option, mark string) string {
	var names []string
	for _, o := range options {
		names = append(names, mark+o.name)
	}
	return strings.Join(names, " ")
}
