// Package stat tells whether two samples differ, in the two ways a reader of measurements wants to see side by side: as ministat(1) does, and by
// ranks, without a distribution assumed. For means whose samples spread differently there is Welch's t as well.
//
// Student is ministat's comparison: Student's t with a pooled standard deviation. It needs no more than N, mean and standard deviation, so that what others
// have published can be checked. Ministat calls the columns of its table of t after two-sided confidence, and five of six are: 80, 90, 95, 98 and 99 %. The
// sixth, 99.5 %, holds the quantile 0.999 of t, which is 99.8 % two-sided (3.090 for many degrees of freedom; 99.5 % would be 2.807). What is published
// under that name has been made with that table, so that Level 99.5 means it here too: the interval is wider than its name says, never narrower.
// Above 100 degrees of freedom ministat takes the normal distribution, and so does this package. Its percentages are the difference and its
// interval over the mean of the first sample, as a constant; later versions of ministat make the second a little narrower.
//
// Ranks is the test of Mann and Whitney with the shift estimate of Hodges and Lehmann and its interval, at the two-sided confidence that Level names.
package stat
