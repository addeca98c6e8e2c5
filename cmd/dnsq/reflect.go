package main

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/dnsq/dnsq/internal/responder"
)

// reflectCommand is the built-in responder by itself, until it is interrupted.
func reflectCommand(e *environment) *cobra.Command {
	var listen string
	var untilEOF bool
	c := &cobra.Command{
		Use:   "reflect",
		Short: "answer queries from the built-in zones, over UDP and TCP",
		Args:  noWords,
		RunE: func(*cobra.Command, []string) error {
			addr, err := netip.ParseAddrPort(listen)
			if err != nil {
				return usagef("--listen %q is not an address and a port; write ip:port or [ip6]:port, with port 0 for any", listen)
			}
			return serve(e, addr, untilEOF)
		},
	}
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:5300", "`address` and port")
	c.Flags().BoolVar(&untilEOF, "until-eof", false, "end with the standard input, too")
	return c
}

func serve(e *environment, addr netip.AddrPort, untilEOF bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt) // SIGTERM ends the process without our doing
	defer stop()
	if untilEOF {
		go func() {
			_, _ = io.Copy(io.Discard, e.stdin) // ends with whoever started this, whatever ends that
			stop()
		}()
	}
	s, err := responder.Start(addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "answering on %s over UDP and TCP\n", s.Addr())
	<-ctx.Done()
	return s.Close()
}

// noWords refuses arguments that are no flags.
func noWords(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument %q; to ask for the name %s write %s.", c.CommandPath(), args[0], c.Name(), c.Name())
	}
	return nil
}
