// Package load sends queries at a rate or a number at a time, on the engine, and accounts for each of them.
package load
