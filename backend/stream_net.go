package backend

import "errors"

var errNoRemote = errors.New("a stream needs a remote address")

func dialNet(cfg Config) (Stream, error) { return nil, errors.ErrUnsupported }
