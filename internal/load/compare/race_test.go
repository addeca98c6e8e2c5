//go:build race

package compare_test

// thorough is false where each sample takes ten times as long, and nothing runs beside it that could race.
const thorough = false
