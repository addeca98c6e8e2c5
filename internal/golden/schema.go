package golden

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Schema describes JSON: a line for every leaf, sorted, with its path and type. The entries of a list have to be alike, or each of their kinds is in it.
func Schema(tb testing.TB, text []byte) string {
	tb.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return strings.Join(slices.Sorted(maps.Keys(leaves("", value))), "\n") + "\n"
}

func leaves(path string, value any) map[string]bool {
	lines := map[string]bool{}
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			maps.Copy(lines, leaves(strings.TrimPrefix(path+"."+key, "."), below))
		}
	case []any:
		if len(v) == 0 {
			lines[path+" list"] = true
		}
		for _, below := range v {
			maps.Copy(lines, leaves(path+"[]", below))
		}
	case float64:
		lines[path+" number"] = true
	default:
		lines[path+" "+fmt.Sprintf("%T", v)] = true
	}
	return lines
}
