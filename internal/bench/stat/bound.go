package stat

import "math"

// exactLimit is the most values in each sample for which the distribution of U is counted out.
const exactLimit = 50

// rankBound returns the number k such that the differences of pairs from the k-th to the k-th from the end, counted from zero, are an interval for the shift
// at l; negative: there are too few runs for one.
func rankBound(n1, n2 int, l Level) int {
	tail := (100 - float64(l)) / 200
	if n1 > exactLimit || n2 > exactLimit {
		m, n := float64(n1), float64(n2)
		return int(math.Round(m*n/2-l.normal()*math.Sqrt(m*n*(m+n+1)/12))) - 1
	}
	k, below := -1, 0.0
	for _, p := range distributionU(n1, n2) {
		if below += p; below > tail {
			break
		}
		k++
	}
	return k
}

// distributionU returns the probability of each U where the samples are of one distribution without ties. The orders of
// m and n values that give a U are those that end in a value of the second sample, which is above all m, and those that do not.
func distributionU(n1, n2 int) []float64 {
	row := make([][]float64, n1+1) // for a second sample of n values, by m
	for m := range row {
		row[m] = []float64{1}
	}
	for n := 1; n <= n2; n++ {
		for m := 1; m <= n1; m++ {
			last := float64(n) / float64(m+n) // that the largest is of the second sample
			next := make([]float64, m*n+1)
			for u, p := range row[m] {
				next[u+m] += last * p
			}
			for u, p := range row[m-1] {
				next[u] += (1 - last) * p
			}
			row[m] = next
		}
	}
	return row[n1]
}
