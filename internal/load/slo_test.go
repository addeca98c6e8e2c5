package load

import (
	"strings"
	"testing"

	"github.com/dnsq/dnsq/internal/load/result"
)

func TestSLO(t *testing.T) {
	r := &result.Result{
		Sent: 1000, Completed: 990, Lost: result.Lost{Timeout: 6, Late: 3, ICMP: 1},
		Response:        result.Latency{P99: 4000},
		ResponseTimeout: result.Latency{P50: 900, P99: 5000, P999: 5e6, Mean: 1500, Max: 6e6},
		Types:           []result.TypeRow{{Rcodes: map[string]uint64{"NOERROR": 900, "SERVFAIL": 9}}, {Rcodes: map[string]uint64{"SERVFAIL": 90}}},
	}
	for _, tt := range []struct {
		slo  string
		want string // what is missed, "" for nothing
	}{
		{"loss<1.1%", ""}, {"loss<1%", "loss is 1%, and loss<1% was asked for"}, {"loss<=1%", ""}, {"loss < 0.02", ""}, {"loss<0.5%", "loss is 1%"},
		{"p99<5ms", "p99 is 5ms"}, {"p99<=5ms", ""}, {"P99<5001us", ""}, {"p50<1ms", ""}, {"p99.9<1s", "p99.9 is 5s"}, {"mean<1.5ms", "mean is 1.5ms"}, {"max<10s", ""},
		{"servfail<10%", "servfail is 10%"}, {"servfail<=10%", ""}, {"nxdomain<=0%", ""}, {"badvers<0.1%", ""},
		{"loss<2%,p99<1ms,servfail<1%", "p99 is 5ms, and p99<1ms was asked for; servfail is 10%"},
	} {
		s, err := ParseSLO(tt.slo)
		if err != nil {
			t.Error(err)
			continue
		}
		got := strings.Join(s.Misses(r), "; ")
		if tt.want == "" && got != "" || !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s misses %q, want %q", tt.slo, got, tt.want)
		}
	}
	s, _ := ParseSLO("p99<1s,servfail<5%,loss<1%")
	if got := s.Misses(&result.Result{Sent: 10, Lost: result.Lost{Timeout: 10}}); len(got) != 3 || !strings.Contains(got[0], "not known") {
		t.Errorf("without an answer: %q", got)
	}
}

func TestSLOErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":               `"" is no bound`,
		"loss":           `"loss" is no bound; write METRIC<LIMIT`,
		"loss>1%":        "is no bound",
		"loss<1%,":       `"" is no bound`,
		"lost<1%":        `no metric "lost"`,
		"p98<1ms":        `no metric "p98"`,
		"loss<1ms":       `"1ms" is not a share`,
		"loss<120%":      `"120%" is not a share`,
		"loss<NaN":       `"NaN" is not a share`,
		"p99<5":          `"5" is not a length of time`,
		"servfail<-0.1%": "is not a share",
	} {
		if _, err := ParseSLO(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
