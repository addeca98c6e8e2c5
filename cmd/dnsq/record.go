package main

import "strconv"

// dig's columns. The owner stands at 0.
const (
	tabWidth    = 8
	ttlColumn   = 24
	classColumn = 32
	typeColumn  = 40
	dataColumn  = 48
)

// line is a line of text that knows its column.
type line struct {
	out    []byte
	column int
}

func (l *line) add(s string) {
	l.out = append(l.out, s...)
	l.column += len(s)
}

// tab moves to a column, at least one further, with tabs as far as they go.
func (l *line) tab(to int) {
	to = max(to, l.column+1)
	for next := (l.column/tabWidth + 1) * tabWidth; next <= to; next += tabWidth {
		l.out = append(l.out, '\t')
		l.column = next
	}
	for ; l.column < to; l.column++ {
		l.out = append(l.out, ' ')
	}
}

func (m *message) appendRecord(out []byte, r record) []byte {
	l := line{out: out}
	l.add(r.name)
	l.tab(ttlColumn)
	l.add(strconv.FormatUint(uint64(r.ttl), 10))
	l.tab(classColumn)
	l.add(className(r.class))
	l.tab(typeColumn)
	l.add(typeName(r.typ))
	l.tab(dataColumn)
	l.add(m.data(r))
	return append(l.out, '\n')
}
