// Package sys is what the packages backend and ioevent share of the operating system: thin calls that allocate nothing and return error
// numbers. It knows neither loops nor datagrams.
package sys
