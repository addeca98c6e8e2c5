// Package queries makes the queries of a load run: read from files, or generated. All that can be done beforehand is: messages are encoded once and
// patched in place, so that the next one costs some nanoseconds and no allocation.
//
// Open and Read take lists: text as dnsperf has it, one name and type a line, with what a query asks for besides behind them; blocks of dynamic
// updates; messages as they go over TCP; captures. Generate makes the other sets, from nothing (unique names, random ones, numbers) or over a list
// (by Zipf's law, mixed with names that no cache holds, in random case). Sets wrap each other: a generator stands over any other one.
//
// Everything random comes from the seed that Part is given: same set, same seed, same queries.
package queries
