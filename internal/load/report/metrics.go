package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// The version of dns-metrics whose fields these are, as YYYYMMDD. It is a draft: what its buckets are is only in its example.
const metricsVersion = 20240530

// DNSMetrics writes r as DNS-OARC's dns-metrics: a line of JSON for what was run, for each reason of the verdict, for each second that counts, and for
// all. Latency is the response time. Whole distributions are under keys of our own, which begin with dnsq_.
func DNSMetrics(w io.Writer, r *result.Result) error {
	id := metricsID{RunID: fmt.Sprintf("%d-%x", r.Start.UnixNano(), r.Seed)}
	e := json.NewEncoder(w)
	if err := e.Encode(metricsHeaderOf(id, r)); err != nil {
		return err
	}
	for _, reason := range r.Reasons {
		if err := e.Encode(metricsEvent{id.of("event"), reason.Text, reason.Code}); err != nil {
			return err
		}
	}
	for i := range r.BySecond {
		if s := &r.BySecond[i]; s.At >= 0 {
			if err := e.Encode(metricsSecond(id, r, s)); err != nil {
				return err
			}
		}
	}
	sum, err := metricsSum(id, r)
	if err != nil {
		return err
	}
	return e.Encode(sum)
}

type metricsID struct {
	RunID string `json:"runid"`
	Type  string `json:"type"`
}

func (id metricsID) of(kind string) metricsID { return metricsID{id.RunID, kind} }

type metricsHeader struct {
	metricsID
	Schema    int      `json:"schema_version"`
	Generator string   `json:"generator"`
	Version   string   `json:"generator_version"`
	Params    []string `json:"generator_params"`
	Units     int64    `json:"time_units_per_sec"`
	Interval  float64  `json:"stats_interval"`
	Timeout   float64  `json:"timeout"`
}

func metricsHeaderOf(id metricsID, r *result.Result) metricsHeader {
	params := []string{}
	if len(r.Command) > 1 {
		params = r.Command[1:]
	}
	return metricsHeader{id.of("header"), metricsVersion, "dnsq", r.Version, params, int64(time.Second), 1, r.Plan.Timeout}
}

type metricsEvent struct {
	metricsID
	Message string `json:"msg"`
	Kind    string `json:"msg_type"`
}

// metricsStats are in nanoseconds, instants since 1970.
type metricsStats struct {
	metricsID
	Since       int64             `json:"since"`
	Until       int64             `json:"until"`
	Queries     uint64            `json:"queries"`
	Responses   uint64            `json:"responses"`
	Timeouts    *uint64           `json:"timeouts,omitempty"`
	Interrupted *uint64           `json:"interrupted,omitempty"`
	Unexpected  *uint64           `json:"unexpected,omitempty"`
	Discarded   *uint64           `json:"discarded,omitempty"`
	Rcodes      map[string]uint64 `json:"response_rcodes,omitempty"`
	Latency     *metricsLatency   `json:"response_latency,omitempty"`
	Connections *metricsConn      `json:"conn_info,omitempty"`
	Verdict     string            `json:"dnsq_verdict,omitempty"`
	Lost        *result.Lost      `json:"dnsq_lost,omitempty"`
	LostSecond  *uint64           `json:"dnsq_lost_in_second,omitempty"`
	Histogram   string            `json:"dnsq_response_histogram,omitempty"`
	Service     string            `json:"dnsq_service_histogram,omitempty"`
}

type metricsLatency struct {
	Avg     int64      `json:"avg"`
	Min     int64      `json:"min"`
	Max     int64      `json:"max"`
	Stddev  *int64     `json:"stddev,omitempty"`
	Buckets [][3]int64 `json:"buckets,omitempty"` // from, to, count
}

type metricsConn struct {
	Type             string `json:"type"`
	PacketsSent      uint64 `json:"packets_sent"`
	PacketsReceived  uint64 `json:"packets_received"`
	SocketErrors     uint64 `json:"socket_errors"`
	Handshakes       uint64 `json:"handshakes,omitempty"`
	HandshakesFailed uint64 `json:"handshakes_failed,omitempty"`
}
