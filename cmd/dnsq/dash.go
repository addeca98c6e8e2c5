package main

import (
	"strconv"
	"strings"
)

// dashOptions are dig's single letters, and what dig has not by long names.
func dashOptions() []option {
	return []option{
		{"-q", "NAME", "ask for NAME, whatever it looks like", func(r *request, _ bool, v string) error { r.setName(v); return nil }},
		{"-t", "TYPE", "ask for records of TYPE: MX, TYPE65432, …", dashType},
		{"-c", "CLASS", "ask in CLASS: IN, CH, HS, CLASS3, …", dashClass},
		{"-x", "ADDR", "ask for the name of an address", dashReverse},
		{"-p", "PORT", "port of servers given without one; 53 by default", dashPort},
		{"-4", "", "use servers with IPv4 addresses only", func(r *request, _ bool, _ string) error { return r.setFamily(4) }},
		{"-6", "", "use servers with IPv6 addresses only", func(r *request, _ bool, _ string) error { return r.setFamily(6) }},
		{"-f", "FILE", "ask what each line of FILE asks; - is the standard input", func(r *request, _ bool, v string) error { r.batch = v; return nil }},
		{"--backend", "NAME", "how datagrams are moved; dnsq probe lists them", func(r *request, _ bool, v string) error { r.backend = v; return nil }},
		{"--poller", "NAME", "how readiness is waited for; dnsq probe lists them", func(r *request, _ bool, v string) error { r.poller = v; return nil }},
		{"--stats", "", "print counters on standard error at the end", func(r *request, _ bool, _ string) error { r.stats = true; return nil }},
		{"-h", "", "print this help", func(r *request, _ bool, _ string) error { r.show = "help"; return nil }},
		{"--help", "", "", func(r *request, _ bool, _ string) error { r.show = "help"; return nil }},
		{"-v", "", "print the version", func(r *request, _ bool, _ string) error { r.show = "version"; return nil }},
		{"--version", "", "", func(r *request, _ bool, _ string) error { r.show = "version"; return nil }},
	}
}

func dashType(r *request, _ bool, v string) error {
	t, ok := parseType(v)
	if !ok {
		return usagef("-t %q is not a type; write A, AAAA, MX and so on, or TYPE and a number up to 65535", v)
	}
	r.setType(t)
	r.typeFixed = true
	return nil
}

func dashClass(r *request, _ bool, v string) error {
	c, ok := parseClass(v)
	if !ok {
		return usagef("-c %q is not a class; write IN, CH, HS, NONE, ANY or CLASS and a number up to 65535", v)
	}
	r.setClass(c)
	r.classFixed = true
	return nil
}

func dashReverse(r *request, _ bool, v string) error {
	name, err := reverseName(v)
	if err != nil {
		return err
	}
	r.setName(name)
	if !r.hasType {
		r.typ, _ = parseType("PTR")
	}
	return nil
}

func dashPort(r *request, _ bool, v string) error {
	n, err := strconv.ParseUint(v, 10, 16)
	if err != nil || n == 0 {
		return usagef("-p %q is not a port; write a number from 1 to 65535", v)
	}
	r.port = uint16(n)
	return nil
}

func (r *request) setFamily(f int) error {
	if r.family != 0 && r.family != f {
		return usagef("-4 and -6 exclude each other; give one of them")
	}
	r.family = f
	return nil
}

// dash takes an option that begins with -, and its value from the same word (-p53, --backend=net) or from rest. It returns what is left of rest.
func (r *request) dash(word string, rest []string) ([]string, error) {
	name, value, hasValue := word, "", false
	if strings.HasPrefix(word, "--") {
		name, value, hasValue = strings.Cut(word, "=")
	} else if len(word) > 2 {
		name, value, hasValue = word[:2], word[2:], true
	}
	for _, o := range dashOptions() {
		if o.name != name {
			continue
		}
		switch {
		case o.arg == "" && hasValue:
			return nil, usagef("%s: %s takes no value", word, name)
		case o.arg != "" && !hasValue && len(rest) == 0:
			return nil, usagef("%s: write %s %s", word, name, o.arg)
		case o.arg != "" && !hasValue:
			value, rest = rest[0], rest[1:]
		}
		return rest, o.set(r, true, value)
	}
	return nil, usagef("%s: no such option; there are %s", word, optionNames(dashOptions(), ""))
}
