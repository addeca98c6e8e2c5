package lab

import "testing"

func TestPlace(t *testing.T) {
	pairs := func(p int) string { return map[int]string{0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3"}[p] }
	unknown := func(int) string { return "" }
	one := "one processor: the client and the responder take turns on it, so that times hold both"
	core := "the processors are threads of one core: the client and the responder slow each other"
	for _, tt := range []struct {
		list     []int
		siblings func(int) string
		want     places
	}{
		{nil, pairs, places{-1, -1, one}},
		{[]int{3}, pairs, places{-1, -1, one}},
		{[]int{0, 1}, pairs, places{0, 1, core}},
		{[]int{0, 1, 2}, pairs, places{0, 2, ""}},
		{[]int{1, 2, 3}, pairs, places{1, 3, ""}},
		{[]int{2, 0, 3}, pairs, places{2, 0, ""}},
		{[]int{4, 7}, unknown, places{4, 7, ""}},
	} {
		if got := place(tt.list, tt.siblings); got != tt.want {
			t.Errorf("of %v: %v, want %v", tt.list, got, tt.want)
		}
	}
}
