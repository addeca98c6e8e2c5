//go:build !linux

package lab

import "errors"

// errNotHere says that threads cannot be bound to processors.
var errNotHere = errors.New("not known how on this system")

func processors() ([]int, error) { return nil, errNotHere }

func pin(int) (release func(), err error) { return nil, errNotHere }
