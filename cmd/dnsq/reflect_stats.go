package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dnsq/dnsq/internal/responder"
)

// reflectStats prints what a responder counts.
type reflectStats struct {
	server *responder.Server
	begin  time.Time
	before responder.Stats
}

func newReflectStats(s *responder.Server) *reflectStats {
	return &reflectStats{server: s, begin: time.Now()}
}

// follow prints a line for each period, if there is one, until the end.
func (t *reflectStats) follow(ctx context.Context, w io.Writer, period time.Duration) error {
	var tick <-chan time.Time
	if period > 0 {
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-t.server.Failed():
			return err
		case <-tick:
			now := t.server.Stats()
			if _, err := fmt.Fprintln(w, "stats "+t.text(now.Since(t.before))); err != nil {
				return err
			}
			t.before = now
		}
	}
}

func (t *reflectStats) text(s responder.Stats) string {
	return fmt.Sprintf("elapsed_s=%.3f received=%d answered=%d dropped_loss=%d dropped_limit=%d dropped_send=%d ignored=%d held=%d dropped_kernel=%d over_tcp=%d connections=%d",
		time.Since(t.begin).Seconds(), s.Received, s.Answered, s.Lost, s.Limited, s.Unsent, s.Ignored, s.Held, s.DroppedKernel, s.OverTCP, s.Connections)
}

// total prints what there was in all.
func (t *reflectStats) total(w io.Writer, file string) error {
	s := t.server.Stats()
	if _, err := fmt.Fprintln(w, "total "+t.text(s)); err != nil {
		return err
	}
	if file == "" {
		return nil
	}
	data, err := json.MarshalIndent(struct {
		Elapsed float64 `json:"elapsed_s"`
		responder.Stats
	}{time.Since(t.begin).Seconds(), s}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o666)
}
