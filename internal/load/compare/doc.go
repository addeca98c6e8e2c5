// Package compare tells whether one group of load runs differs from another: by how much, how surely, and whether that is more than matters.
//
// # The unit is the run
//
// The queries of a run share its server's state, its caches, its sockets and the minute it ran in: a million of them are no million observations, and a test
// that takes them for such finds a difference between any two runs of one server. Each run gives one value of each metric here, and what is compared is
// the values of A's runs with those of B's. Nothing is ever averaged over percentiles of parts of a run.
//
// # The tests
//
// Rates (qps, the parts that completed and that were lost) are means over a run and close to normal from run to run, but not equally steady on two
// servers: they are compared by the t test for unequal variances (B. L. Welch, "The generalization of 'Student's' problem when several different
// population variances are involved", Biometrika 34, 1947; degrees of freedom by F. E. Satterthwaite, Biometrics Bulletin 2, 1946).
//
// Latencies have long tails from run to run too. They are compared by ranks (H. B. Mann and D. R. Whitney, "On a test of whether one of two random
// variables is stochastically larger than the other", Annals of Mathematical Statistics 18, 1947), with the shift and its interval of J. L. Hodges
// and E. L. Lehmann ("Estimates of location based on rank tests", ibid. 34, 1963): the shift is the median of the differences of all pairs of one run of
// each, and the interval is between two of these differences. One run that was disturbed does not move the shift by much, nor, from seven runs a side
// (at 95 %), the interval. Fewer than four have no interval, as even the surest order of three and three comes by chance once in ten times.
//
// Shifts are of B from A, in percent of A's mean (rates) or median (latencies). Those of parts, such as what was lost, are in points (hundredths of
// the whole), since a loss that doubles from one query in a million is no change that matters.
//
// # The verdicts
//
// "Not proven different" is not "same". With a margin of x %, the verdict on a metric is
//
//	same       the whole interval is within ±x %, even if zero is not in it: what there is does not matter
//	better     zero is outside the interval, and the shift is for the better and more than x %
//	worse      the same, for the worse
//	undecided  anything else; Metric.More is how many more runs a side would probably do
//
// "Same" is thus the equivalence test of two one-sided tests (D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987), at half of the
// error that the level allows. Of "worse", the direction is proven, and that it is more than x % is the estimate. What is found in a small sample
// does not contradict what would be found in a large one: as the interval narrows on a shift, its verdict becomes that of the side of the margin it is on.
// How many runs that takes depends on the noise. With ten a side, margin 5 % and level 95 %, a p99 that varies by 1.4 % (standard deviation from run to run,
// beside one run in twenty that is disturbed) is told to be the same as itself 99 times of 100, one that varies by 2.8 % only 7 of 10 and with twenty runs
// 99 of 100; a shift of 10 % is found in all of these. Five a side find that shift, if it is for the worse, but say "same" only half of the time.
//
// The number of further runs takes that intervals narrow with the root of the number of runs, and leaves room for the shift to move. It is a
// forecast from noise that is itself only estimated.
//
// Two metrics decide about the whole, qps and p99 of closed plans, p99 and loss of open ones, unless others are named. It is worse if one of them is,
// else undecided if one is, else better if one is, else same. The rest of the table is to be read with care: of twenty metrics that do not differ, one is
// outside its interval at 95 %.
//
// # One run of each
//
// The seconds of a run are not independent, and what makes the next run differ (where processes and buffers lie, which cores, what else the machine does) is
// in none of them. Where there is one run of each, the interval is from resampling blocks of consecutive seconds (H. R. Künsch, Annals of Statistics
// 17, 1989; D. N. Politis and J. P. Romano, circular, 1992), warm-up and the last partial second left out. That says whether these two runs differ, and the
// report says that it does; it never says that the servers do: the verdict is undecided, and what the seconds look like is Metric.Apparent.
//
// # What is compared at all
//
// Runs of different plans are refused; what else differs is listed in Report.Warnings. Runs with the verdict invalid are left out, and listed. Runs of A
// that were all before those of B are warned of, as a machine that warms up looks like a difference then: interleave them, A B B A.
package compare
