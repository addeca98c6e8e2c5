package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// batch asks what each line of the file asks, and returns the greatest of the lines' exit codes.
func (s *session) batch(base *request) int {
	in, name := s.stdin, base.batch
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			fmt.Fprintf(s.stderr, "dnsq: -f: %s; name a file, or - for the standard input\n", printable(err.Error()))
			return exitBatch
		}
		defer f.Close()
		in = f
	}
	code := exitOK
	base.batch = ""
	lines := bufio.NewReader(in)
	for n := 1; ; n++ {
		line, err := lines.ReadString('\n')
		r := *base
		if words := strings.Fields(line); len(words) > 0 && !strings.ContainsAny(words[0][:1], "#;") {
			code = max(code, s.batchLine(&r, words, fmt.Sprintf("%s line %d", name, n)))
		}
		if errors.Is(err, io.EOF) {
			return code
		}
		if err != nil {
			fmt.Fprintf(s.stderr, "dnsq: -f: %s\n", printable(err.Error()))
			return exitBatch
		}
	}
}

// batchLine does what words say on top of r, which has what the command line said. Where names the line.
func (s *session) batchLine(r *request, words []string, where string) int {
	err := r.parse(words)
	if err == nil && (r.batch != "" || r.show != "") {
		err = usagef("-f, -h and -v are not for the lines of a batch; write one question")
	}
	if err != nil {
		return s.exit(usagef("%s: %w", where, err))
	}
	return s.lookup(r)
}
