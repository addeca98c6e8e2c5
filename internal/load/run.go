package load

import (
	"context"
	"errors"

	"github.com/dnsq/dnsq/internal/load/result"
)

// Run makes the run that p plans. When ctx ends it stops at once; the result is whole then, too. The error says why there could be no run.
// Version, Command and Host of the result are the caller's to fill in.
func Run(ctx context.Context, p *Plan) (*result.Result, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return nil, errors.ErrUnsupported
}
