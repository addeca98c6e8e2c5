package main

// appendShort writes the data of the answer's records, a line each.
func (m *message) appendShort(out []byte) []byte {
	for _, r := range m.sections[answer] {
		out = append(append(out, m.data(r)...), '\n')
	}
	return out
}
