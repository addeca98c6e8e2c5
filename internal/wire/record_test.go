package wire

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// walk returns all records and what ended the walk.
func walk(msg []byte) (records []Record, err error) {
	w := Walk(msg)
	for r, ok := w.Next(); ok; r, ok = w.Next() {
		records = append(records, r)
	}
	return records, w.Err()
}

func TestWalk(t *testing.T) {
	msg := response(2, 1, 1,
		record(typeA, "c0000201"),
		"00 ff98 0003 80000001 0000",
		"c010 0002 0001 0000000a 0002 c00c",
		optRecord, "deadbeef")
	got, err := walk(msg)
	want := []Record{
		{Section: Answer, Owner: 33, Type: 1, Class: 1, TTL: 60, Data: 45, End: 49},
		{Section: Answer, Owner: 49, Type: 0xFF98, Class: 3, TTL: 0x80000001, Data: 60, End: 60},
		{Section: Authority, Owner: 60, Type: 2, Class: 1, TTL: 10, Data: 72, End: 74},
		{Section: Additional, Owner: 74, Type: typeOPT, Class: 1232, Data: 85, End: 85},
	}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("error %v, (-want +got)\n%s", err, diff)
	}
}

// A walk ends for good where the message does, and says so.
func TestWalkErrors(t *testing.T) {
	whole := response(1, 0, 1, record(typeA, "c0000201"), optRecord)
	for n := range len(whole) {
		records, err := walk(whole[:n])
		switch {
		case n < 12 && err != ErrHeader, n >= 12 && n < 33 && err != ErrQuestion, n >= 33 && err != ErrRecord:
			t.Errorf("%d octets: %v", n, err)
		case n < 49 && len(records) != 0, n >= 49 && len(records) != 1:
			t.Errorf("%d octets: %d records", n, len(records))
		}
	}
	w := Walk(response(65535, 1, 1, record(typeA, "c0000201"), "c0"))
	w.Next()
	for range 3 {
		if r, ok := w.Next(); ok {
			t.Errorf("record %+v behind the end", r)
		}
		if w.Err() != ErrRecord {
			t.Errorf("error %v, want %v", w.Err(), ErrRecord)
		}
	}
}

func TestWalkEmptySections(t *testing.T) {
	for _, counts := range [][3]int{{}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 2, 0}} {
		n := counts[0] + counts[1] + counts[2]
		var texts []string
		for range n {
			texts = append(texts, record(typeA, "c0000201"))
		}
		records, err := walk(response(counts[0], counts[1], counts[2], texts...))
		var got [3]int
		for _, r := range records {
			got[r.Section]++
		}
		if got != counts || err != nil {
			t.Errorf("counts %v: %v, %v", counts, got, err)
		}
	}
}
