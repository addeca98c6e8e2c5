package realtest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/realtest"
)

func TestSuffixes(t *testing.T) {
	const list = `// a comment

com
com // again, with a comment behind it
*.ck
!www.ck
Österreich.example
食狮.公司.cn
  co.uk	
`
	got, err := realtest.Suffixes(strings.NewReader(list), "test.")
	want := []string{
		"com.test.", "*.ck.test.", "www.ck.test.", "xn--sterreich-z7a.example.test.", "xn--85x722f.xn--55qx5d.cn.test.", "co.uk.test.",
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

func TestSuffixesNamesTheBadRule(t *testing.T) {
	_, err := realtest.Suffixes(strings.NewReader("com\nxn--\u0080.example\n"), "test.")
	if err == nil || !strings.Contains(err.Error(), "xn--") {
		t.Errorf("error %v, want one that names the rule", err)
	}
}
