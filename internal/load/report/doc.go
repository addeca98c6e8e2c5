// Package report shows what a load run found: as text in the shape of dnsperf's, a line a second while it runs, CSV, an HdrHistogram log,
// DNS-OARC's dns-metrics, and one HTML page.
//
// What another tool calls latency is measured from the send, so in dnsperf's lines ("Average Latency", "Latency StdDev") it is the service time.
// Everything else puts the response time first, which is measured from the instant that the plan had: a generator that falls behind cannot hide in it.
//
// Names in a result (servers, files, arguments) come from outside. In text they are written without control characters, in HTML escaped.
package report
