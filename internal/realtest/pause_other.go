//go:build !linux

package realtest

import "errors"

// Pause is for Linux.
func (s *Server) Pause() (resume func(), err error) { return nil, errors.ErrUnsupported }
