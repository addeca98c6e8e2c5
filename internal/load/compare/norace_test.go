//go:build !race

package compare_test

const thorough = true
