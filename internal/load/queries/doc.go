// Package queries makes the queries of a load run: read from files, or generated. All that can be done beforehand is: messages are encoded once and
// patched in place, so that the next one costs some nanoseconds and no allocation.
package queries
