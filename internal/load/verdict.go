package load

import (
	"fmt"
	"time"

	"github.com/dnsq/dnsq/internal/load/result"
)

// The shares of what was planned or sent from which a result is invalid. What a server does, however bad, never makes one so.
const (
	dropShare      = 0.0001 // answers that were here, and that a reader would take for the server's losses
	behindShare    = 0.01   // of the rate asked for
	sendErrorShare = 0.0001
)

// lateSends is the 99th percentile of the pacing error, in microseconds, from which a reader is told of it.
const lateSends = 1000

// judge gives r its verdict, and the reasons for it and what else a reader has to know.
func judge(r *result.Result, why ending, timeout time.Duration, refusal error) {
	r.Verdict = result.Valid
	refuse := func(code, format string, args ...any) {
		r.Verdict = result.Invalid
		note(r, code, format, args...)
	}
	if n := r.Lost.ClientDrop; above(n, r.Sent, dropShare) {
		refuse(result.CodeClientDrop, "%d answers were dropped in our own receive queue, %s of what was sent: give a larger --receive-buffer, or a lower rate", n, percent(n, r.Sent))
	}
	if n := r.Unsent.Behind; above(n, r.Planned, behindShare) {
		refuse(result.CodeBehind, "%d queries could not be sent on time, %s of the plan: this machine is too slow for the rate", n, percent(n, r.Planned))
	}
	if n := r.Lost.SendError; above(n, r.Sent, sendErrorShare) {
		refuse(result.CodeSendError, "this machine refused %d sends, %s of all; the first one with: %v", n, percent(n, r.Sent), refusal)
	}
	switch {
	case why == unreachable:
		refuse(result.CodeUnreachable, "%s", unreachableText(r, timeout))
	case r.Sent > 0 && r.Completed == 0 && r.Strays.Late == 0 && why != stopped:
		refuse(result.CodeUnreachable, "%s", unreachableText(r, timeout))
	case r.Planned == 0 && why != stopped:
		refuse(result.CodeNote, "the plan has no query: there is nothing to measure")
	}
	notes(r, why)
}

func unreachableText(r *result.Result, timeout time.Duration) string {
	switch {
	case r.Lost.ICMP > 0:
		return fmt.Sprintf("no server answered, and the network refused %d queries: nobody listens there, or nothing leads there", r.Lost.ICMP)
	case r.Lost.Closed > 0:
		return fmt.Sprintf("no server answered, and %d queries were on connections that failed", r.Lost.Closed)
	case r.Lost.SendError > 0:
		return fmt.Sprintf("no server was sent to: this machine refused %d sends", r.Lost.SendError)
	case r.Connections.Failed > 0:
		return fmt.Sprintf("no server answered, and %d connections failed", r.Connections.Failed)
	}
	return fmt.Sprintf("no server answered any of %d queries; the timeout is %v", r.Sent, timeout)
}

// notes are the reasons that leave a result valid.
func notes(r *result.Result, why ending) {
	if why == stopped {
		note(r, result.CodeInterrupted, "the run was cut short, with %d queries outstanding", r.Interrupted)
	}
	if n := r.Unsent.Window; n > 0 {
		note(r, result.CodeWindow, "as many queries as may be were outstanding, so %d were not sent, %s of the plan: latencies under this rate are better than they would be", n, percent(n, r.Planned))
	}
	if n := r.Unsent.Behind; n > 0 && !above(n, r.Planned, behindShare) {
		note(r, result.CodeNote, "%d queries could not be sent on time, %s of the plan", n, percent(n, r.Planned))
	}
	if n := r.Lost.ClientDrop; n > 0 && !above(n, r.Sent, dropShare) {
		note(r, result.CodeNote, "%d answers were dropped in our own receive queue, %s of what was sent", n, percent(n, r.Sent))
	}
	for _, t := range r.Targets {
		if t.Sent > 0 && t.Completed == 0 && r.Completed > 0 {
			note(r, result.CodeNote, "%s answered none of its %d queries", t.Server, t.Sent)
		}
	}
	if late := r.Pacing.P99; late >= lateSends {
		note(r, result.CodeNote, "of the sends 1 %% were %.1f ms late or more, which the response times count and the service times do not", late/1e3)
	}
	if why == noQueries {
		note(r, result.CodeNote, "there were no more queries after %d", r.Planned)
	}
}

func note(r *result.Result, code, format string, args ...any) {
	r.Reasons = append(r.Reasons, result.Reason{Code: code, Text: fmt.Sprintf(format, args...)})
}

// above reports whether n is more than the share of all.
func above(n, all uint64, share float64) bool { return n > 0 && float64(n) > share*float64(all) }

func percent(n, all uint64) string {
	return fmt.Sprintf("%.3g %%", 100*float64(n)/float64(max(all, 1)))
}

// judge gives the result its verdict.
func (r *run) judge(out *result.Result) {
	why := planOver
	var refusal error
	for _, s := range r.shards {
		why = max(why, s.why)
		if refusal == nil {
			refusal = s.tally.firstRefusal
		}
	}
	judge(out, why, r.plan.Timeout, refusal)
}
