//go:build race

package resolver_test

// raceDetector says whether allocations and speeds mean anything.
const raceDetector = true
