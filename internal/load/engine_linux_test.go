package load

import "testing"

// TestCrowded compares what may be outstanding with what the kernel says that a receive queue holds.
func TestCrowded(t *testing.T) {
	for _, tt := range []struct {
		outstanding, buffer int
		want                bool
	}{
		{10, 1 << 17, false}, {10, 2048, true}, {100000, 1 << 17, true}, {0, 1 << 17, true},
	} {
		p := (&Plan{Servers: []Server{server(1, 0)}, Set: list{}, Outstanding: tt.outstanding, RecvBuffer: tt.buffer, Rate: At(5)}).prepared()
		if err := p.choose(); err != nil {
			t.Fatal(err)
		}
		if got := newShard(p, 0, newPost(true), newPulse(1, func() {})).crowded(); got != tt.want {
			t.Errorf("%d outstanding and a buffer of %d octets: crowded %v", tt.outstanding, tt.buffer, got)
		}
	}
}
