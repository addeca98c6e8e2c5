package main

import "github.com/dnsq/dnsq/internal/load/result"

type metrics struct{}

func newMetrics() *metrics                              { return &metrics{} }
func (*metrics) serve(a string) (func(), string, error) { return func() {}, a, nil }
func (*metrics) observe(*result.Tick)                   {}
