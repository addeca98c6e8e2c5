package resolver_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// cases are public reports of what resolvers got wrong, each with the tests that hold this one to what is right.
var cases = map[string][]string{
	"golang/go#13281":              {"TestJunkDatagramsAreIgnored", "TestVectors", "wire.TestSameQuestion"},
	"miekg/dns#1156":               {"TestLateReplyIsNobodys"},
	"hickory-dns#3526":             {"TestWrongIDsNeverFail", "TestForgeriesDoNotEndTheWait"},
	"hickory-dns 517398f78":        {"TestForgedFramesAreSkipped", "TestScenarios", "TestVectors"},
	"CVE-2023-29483":               {"TestVectors", "TestJunkDatagramsAreIgnored"},
	"MichaCo/DnsClient.NET#132":    {"TestSwappedIDs"},
	"CVE-2024-25638":               {"TestAliases", "TestVectorsLookup"},
	"CVE-2026-4437":                {"TestLookup", "TestVectorsLookup"},
	"CVE-2019-19794":               {"TestIDsAreUniform", "TestIDsCoverAllValues", "TestIDsFailClosed", "TestFreshPorts"},
	"glibc BZ#26600":               {"TestIDsDifferOnOneSocket", "TestLookup"},
	"CVE-2013-7423":                {"TestNothingIsWrittenToForeignDescriptors"},
	"RUSTSEC-2018-0007":            {"TestVectors", "wire.TestCheckVectors", "wire.TestSkipName"},
	"miekg/dns 2b564cd0":           {"TestVectorsLookup", "wire.TestCheckVectors"},
	"CVE-2016-10195":               {"TestVectors", "wire.TestCheckVectors"},
	"CVE-2025-24294":               {"TestVectors", "wire.TestCheckCost"},
	"c-ares#1164":                  {"TestVectors", "wire.TestSkipName"},
	"c-ares#1134":                  {"TestVectors", "wire.TestCheckVectors", "wire.TestNoAllocation"},
	"CVE-2024-24788":               {"TestVectors", "wire.TestCheckVectors"},
	"CVE-2026-46600":               {"TestVectors", "wire.TestServiceParameters"},
	"unbound iter_svcb_malformed":  {"TestVectors", "wire.TestServiceParameters"},
	"c-ares#1190":                  {"TestVectors", "TestVectorsDecode", "wire.TestDataNames"},
	"c-ares#1189":                  {"TestVectors", "wire.TestCheckEDNS"},
	"c-ares#1129":                  {"TestVectorsDecode"},
	"c-ares#1159":                  {"TestLargeCompressedReply", "wire.TestFarPointer"},
	"RUSTSEC-2026-0119":            {"TestPackingIsCheap"},
	"unbound iter_scrub_rr_length": {"TestVectors", "wire.TestDataLength"},
	"haproxy bc552102":             {"TestVectors", "wire.TestCheckVectors"},
	"CVE-2017-1000381":             {"TestVectors", "wire.TestBadData"},
	"CVE-2020-22217":               {"TestVectors", "wire.TestBadData"},
	"c-ares 4d6975b3":              {"TestVectors", "wire.TestBadData"},
	"NSEC bitmap windows":          {"TestVectors", "wire.TestBadData"},
	"golang/go#27763":              {"TestVectorsDecode"},
	"libevent#1231":                {"TestJunkDatagramsAreIgnored"},
	"unbound fwd_malformed":        {"TestVectors"},
	"CVE-2026-41292":               {"TestVectors", "wire.TestCheckCost"},
	"Go TestExtendedRCode":         {"TestVectors", "TestVectorsLookup"},
	"CVE-2020-8277":                {"TestVectorsLookup"},
	"CVE-2017-9217":                {"TestVectors", "TestJunkDatagramsAreIgnored"},
	"CVE-2023-32067":               {"TestScenarios", "TestVectors"},
	"c-ares#819":                   {"TestNobodyListens"},
	"c-ares#1152":                  {"TestSocketsAreBounded", "TestLoopbackKeepsItsSockets"},
	"c-ares#1043":                  {"TestEveryoneBroken"},
	"c-ares#1144":                  {"TestManyTries", "TestWaitForDescriptors"},
	"CVE-2025-31498":               {"TestResendFails"},
	"CVE-2026-33630":               {"TestCancelAllInsideDone"},
	"c-ares#1000":                  {"TestEachQueryHasItsOwnTimer"},
	"c-ares#663":                   {"TestCancelAfterOneFamily"},
	"c-ares#650":                   {"TestSilentServerIsLeft"},
	"c-ares#552":                   {"TestFrames", "wire.TestFrames", "wire.TestFramesSplitPrefix"},
	"glibc BZ#31890":               {"TestFailureCodesGoOn"},
	"glibc BZ#14308":               {"TestLookup"},
	"golang/go#18588":              {"TestFewDescriptors"},
	"golang/go#64896":              {"TestTruncatedOverTCP"},
	"golang/go#21160":              {"TestLargeReplyWithoutEDNS"},
	"hickory-dns e3214473a":        {"TestIdleConnectionClosed", "TestServerThatAlwaysCloses"},
	"hickory-dns 85a6c33c7":        {"TestEveryServerHasItsTurn", "TestDeadline"},
	"systemd#11332":                {"TestClosedAfterTheFirst"},
	"netty/netty#4771":             {"TestVectorsLookup", "TestAliases"},
	"systemd#30392":                {"TestVectorsLookup", "TestAliases"},
	"pycares#310":                  {"TestCloseWhileSubmitting"},
}

// TestEachCaseHasItsTests: those that the table names are there.
func TestEachCaseHasItsTests(t *testing.T) {
	there := map[string]bool{}
	addTests(t, there, "", ".")
	addTests(t, there, "wire.", "../internal/wire")
	for source, tests := range cases {
		if len(tests) == 0 {
			t.Errorf("%s: no test", source)
		}
		for _, name := range tests {
			if !there[name] {
				t.Errorf("%s: there is no %s", source, name)
			}
		}
	}
}

// addTests adds the names of the test functions in dir.
func addTests(t *testing.T, there map[string]bool, prefix, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d test files, %v", dir, len(files), err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") {
				there[prefix+f.Name.Name] = true
			}
		}
	}
}
