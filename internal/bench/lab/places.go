package lab

import (
	"fmt"
	"os"
)

// places are the processors for the two sides, -1 where there is no choice.
type places struct {
	client, responder int
	why               string // not, or not as it should be
}

// here chooses from the processors that this process may use.
func here() places {
	list, err := processors()
	if err != nil {
		return places{-1, -1, fmt.Sprintf("not pinned to a processor: %v", err)}
	}
	return place(list, siblings)
}

// place takes the first for the client and for the responder the last that is another core. Siblings names the threads of a processor's core.
func place(list []int, siblings func(processor int) string) places {
	if len(list) < 2 {
		return places{-1, -1, "one processor: the client and the responder take turns on it, so that times hold both"}
	}
	first := siblings(list[0])
	for i := len(list) - 1; i > 0; i-- {
		if s := siblings(list[i]); s == "" || s != first {
			return places{list[0], list[i], ""}
		}
	}
	return places{list[0], list[1], "the processors are threads of one core: the client and the responder slow each other"}
}

// siblings is what Linux says of a processor's core, "" where nothing.
func siblings(processor int) string {
	text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", processor))
	if err != nil {
		return ""
	}
	return string(text)
}
