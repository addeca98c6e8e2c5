//go:build !unix

package ioeventtest

import "testing"

// A pair cannot be had: no poller watches descriptors here.
type pair struct{ fd int }

func newPair(t *testing.T) *pair {
	t.Helper()
	t.Fatal("a poller that watches descriptors needs a pair for this system")
	return nil
}

func (p *pair) send()        {}
func (p *pair) drain()       {}
func (p *pair) fill()        {}
func (p *pair) makeRoom()    {}
func (p *pair) hangUp()      {}
func (p *pair) receive() int { return 0 }

func refusedSocket(t *testing.T) int { return newPair(t).fd }
