package wire

import (
	"bytes"
	"fmt"
	"testing"
)

func TestAppendFrame(t *testing.T) {
	for _, n := range []int{0, 1, 255, 256, 65535} {
		got := AppendFrame([]byte("before"), make([]byte, n))
		want := append([]byte{'b', 'e', 'f', 'o', 'r', 'e', byte(n >> 8), byte(n)}, make([]byte, n)...)
		if !bytes.Equal(got, want) {
			t.Errorf("%d octets: wrong frame of %d", n, len(got))
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for 65,536 octets")
		}
	}()
	AppendFrame(nil, make([]byte, 65536))
}

// feed gives the stream to f in reads of at most size octets, and returns all messages.
func feed(f *Frames, stream []byte, size int) (messages [][]byte) {
	for len(stream) > 0 {
		n := copy(f.Space(), stream[:min(size, len(stream))])
		f.Wrote(n)
		stream = stream[n:]
		for msg, ok := f.Next(); ok; msg, ok = f.Next() {
			messages = append(messages, bytes.Clone(msg))
		}
	}
	return messages
}

// message returns n octets that tell n and their place.
func message(n int) []byte {
	msg := make([]byte, n)
	for i := range msg {
		msg[i] = byte(i + n)
	}
	return msg
}

func TestFrames(t *testing.T) {
	lengths := [][]int{
		{0}, {1}, {12, 0, 0, 12}, {100, 100, 100}, {65535}, {65535, 65535}, {0, 65535, 0},
		{4093, 4094, 4095, 4096, 4097}, {idleFrames - prefixLen, idleFrames - prefixLen}, {60, 5000, 60, 9000, 60},
	}
	for _, size := range []int{1, 2, 3, 7, 61, 4095, 4096, 4097, 65537, 1 << 20} {
		for _, ns := range lengths {
			var f Frames
			var stream []byte
			for _, n := range ns {
				stream = AppendFrame(stream, message(n))
			}
			if size < 60 && len(stream) > 30000 {
				continue // takes long and tells nothing more
			}
			got := feed(&f, stream, size)
			if len(got) != len(ns) {
				t.Errorf("reads of %d, messages of %v: %d messages", size, ns, len(got))
				continue
			}
			for i, n := range ns {
				if !bytes.Equal(got[i], message(n)) {
					t.Errorf("reads of %d, messages of %v: message %d is wrong", size, ns, i)
				}
			}
		}
	}
}

func TestFramesSplitPrefix(t *testing.T) {
	var f Frames
	for _, part := range []string{"00", "03 61", "6263 00", "00 0001"} {
		f.Wrote(copy(f.Space(), octets(part)))
		if part == "00" {
			if _, ok := f.Next(); ok {
				t.Fatal("a message after one octet")
			}
		}
		if part == "6263 00" {
			if msg, ok := f.Next(); !ok || string(msg) != "abc" {
				t.Fatalf("%q, %v, want abc", msg, ok)
			}
			if _, ok := f.Next(); ok {
				t.Fatal("a second message after half a prefix")
			}
		}
	}
	if msg, ok := f.Next(); !ok || len(msg) != 0 {
		t.Errorf("%q, %v, want an empty message", msg, ok)
	}
}

// The largest message leaves no larger buffer than it needs, and after some small ones that is gone.
func TestFramesMemory(t *testing.T) {
	var f Frames
	feed(&f, AppendFrame(nil, message(65535)), 1000)
	if n := len(f.buf); n != 65537 {
		t.Errorf("buffer of %d octets for the largest message", n)
	}
	for i := range calmFrames {
		if len(f.Space()) <= idleFrames {
			t.Fatalf("buffer given back after %d small messages", i)
		}
		feed(&f, AppendFrame(nil, message(60)), 1000)
	}
	if n := len(f.Space()); n != idleFrames {
		t.Errorf("%d octets of space after %d small messages", n, calmFrames)
	}
}

// A buffer that is given back must not take what is in it along.
func TestFramesShrinkKeepsPart(t *testing.T) {
	var f Frames
	feed(&f, AppendFrame(nil, message(10000)), 20000)
	var stream []byte
	for range calmFrames {
		stream = AppendFrame(stream, message(1))
	}
	feed(&f, append(stream, 0, 4, 'a', 'b'), len(stream)+4)
	if n := len(f.Space()); n != idleFrames-4 {
		t.Fatalf("%d octets of space, want %d", n, idleFrames-4)
	}
	if got := feed(&f, []byte("cd"), 2); len(got) != 1 || string(got[0]) != "abcd" {
		t.Errorf("%q, want abcd", got)
	}
}

// Messages that were not taken before Space are kept, even when a large buffer is due to be given back.
func TestFramesNotTaken(t *testing.T) {
	const many = 80
	var f Frames
	feed(&f, AppendFrame(nil, message(10000)), 20000)
	for range calmFrames - 1 {
		feed(&f, AppendFrame(nil, message(1)), 100)
	}
	var stream []byte
	for range many {
		stream = AppendFrame(stream, message(100))
	}
	f.Wrote(copy(f.Space(), stream))
	for i := range many {
		if msg, ok := f.Next(); !ok || !bytes.Equal(msg, message(100)) {
			t.Fatalf("message %d of %d is lost", i, many)
		}
		f.Space()
	}
}

func TestFramesNoAllocation(t *testing.T) {
	for _, n := range []int{60, 4094, 10000, 65535} {
		var f Frames
		stream := AppendFrame(nil, message(n))
		read := func() {
			for rest := stream; len(rest) > 0; {
				k := copy(f.Space(), rest[:min(1460, len(rest))])
				f.Wrote(k)
				rest = rest[k:]
				for _, ok := f.Next(); ok; _, ok = f.Next() {
				}
			}
		}
		read()
		if allocs := testing.AllocsPerRun(200, read); allocs != 0 {
			t.Errorf("messages of %d octets: %v allocations each", n, allocs)
		}
	}
}

func ExampleFrames() {
	stream := bytes.NewReader([]byte("\x00\x05first\x00\x06second"))
	var f Frames
	for {
		n, err := stream.Read(f.Space())
		if err != nil {
			break
		}
		f.Wrote(n)
		for msg, ok := f.Next(); ok; msg, ok = f.Next() {
			fmt.Printf("%s\n", msg)
		}
	}
	// Output:
	// first
	// second
}
