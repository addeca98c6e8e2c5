package realtest

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/idna"
)

// SuffixFile is where Debian's package publicsuffix puts the Public Suffix List.
const SuffixFile = "/usr/share/publicsuffix/public_suffix_list.dat"

// Suffixes reads a Public Suffix List and returns one owner name under origin
// for each of its rules, in the list's order and each once. A "*." rule becomes
// a wildcard, a "!" rule the plain name, a Unicode rule its A-labels.
func Suffixes(list io.Reader, origin string) ([]string, error) {
	var names []string
	seen := make(map[string]bool)
	lines := bufio.NewScanner(list)
	for lines.Scan() {
		// "Each line is only read up to the first whitespace" (publicsuffix.org/list).
		rule, _, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if rule == "" || strings.HasPrefix(rule, "//") {
			continue
		}
		ascii, err := idna.Punycode.ToASCII(strings.ToLower(strings.TrimPrefix(rule, "!")))
		if err != nil {
			return nil, fmt.Errorf("suffix %q: %w", rule, err)
		}
		if name := ascii + "." + origin; !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names, lines.Err()
}
