package backend

import "os"

// A reason ties what the system said to the sentinel that it matches.
type reason struct{ sentinel, err error }

func (r *reason) Error() string   { return r.err.Error() }
func (r *reason) Unwrap() []error { return []error{r.sentinel, r.err} }

// explain makes err, which says what system call failed how, match the sentinel for it, if there is one.
func explain(err error) error {
	if s := sentinel(err); s != nil {
		return &reason{s, err}
	}
	return err
}

// reported is the error of a report of the network. It always matches a sentinel: what has none did not get there either.
func reported(errno error) error {
	err := os.NewSyscallError("recv", errno)
	if s := sentinel(err); s != nil {
		return &reason{s, err}
	}
	return &reason{ErrUnreachable, err}
}

// failed is the error of the system call op.
func failed(op string, errno error) error { return explain(os.NewSyscallError(op, errno)) }
