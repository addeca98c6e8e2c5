package main

import (
	"fmt"
	"math/bits"
	"strings"
	"text/tabwriter"

	"github.com/dnsq/dnsq/internal/bench/lab"
)

// bucketsOf sums chances by powers of two: 0, 1, 2 to 3, 4 to 7, …
func (w *wakesResult) bucketsOf() (buckets []float64) {
	for _, c := range w.Replies {
		for i := bits.Len(uint(c.K)); i >= len(buckets); {
			buckets = append(buckets, 0)
		}
		buckets[bits.Len(uint(c.K))] += c.P
	}
	return buckets
}

// bucketName is the range of a bucket.
func bucketName(i int) string {
	if i < 2 {
		return fmt.Sprint(i)
	}
	return fmt.Sprintf("%d-%d", 1<<(i-1), 1<<i-1)
}

// widest is the most buckets of any.
func widest(wakes []wakesResult) (n int) {
	for i := range wakes {
		n = max(n, len(wakes[i].bucketsOf()))
	}
	return n
}

// printWakes is two tables: how many replies a wake has, and what that says of the number of buffers.
func (r *recvResult) printWakes(b *strings.Builder) {
	b.WriteString("Probability that so many replies arrive in one wake (edge, " + wakesBackend + "), by queries outstanding\n\n")
	w := tabwriter.NewWriter(b, 0, 8, 2, ' ', tabwriter.AlignRight)
	n := widest(r.Wakes)
	fmt.Fprint(w, "outstanding\twakes\tmean\t")
	for i := range n {
		fmt.Fprint(w, bucketName(i)+"\t")
	}
	fmt.Fprintln(w)
	for i := range r.Wakes {
		one := &r.Wakes[i]
		fmt.Fprintf(w, "%d\t%d\t%.2f\t", one.Outstanding, one.Wakes, one.Mean)
		buckets := one.bucketsOf()
		for i := range n {
			if i < len(buckets) {
				fmt.Fprintf(w, "%.3f", buckets[i])
			}
			fmt.Fprint(w, "\t")
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // to memory
	fmt.Fprintf(b, "\nThe cheapest number of buffers, where one receive more costs %.0f ns and a buffer %.1f ns whether or not it is filled, and what the\n"+
		"engine's own rule (resolver/slots.go, made for the same end) offered\n\n", r.Receive.Call, r.Receive.Buffer)
	fmt.Fprint(w, "outstanding\tbuffers\tns a reply\toffered\tns a reply\t\n")
	for _, one := range r.Wakes {
		fmt.Fprintf(w, "%d\t%d\t%.1f\t%.1f\t%.1f\t\n", one.Outstanding, one.Best, one.BestCost, one.Offered, one.OfferedCost)
	}
	_ = w.Flush()
	b.WriteByte('\n')
}

// wakesPlot shows the buckets.
func wakesPlot(wakes []wakesResult) lab.Plot {
	p := lab.Plot{Title: "replies a wake", Axis: "replies"}
	n := widest(wakes)
	for i := range n {
		p.Labels = append(p.Labels, bucketName(i))
	}
	for i := range wakes {
		values := append(wakes[i].bucketsOf(), make([]float64, n)...)[:n]
		p.Series = append(p.Series, lab.Series{Name: fmt.Sprintf("%d outstanding", wakes[i].Outstanding), Values: values})
	}
	return p
}
