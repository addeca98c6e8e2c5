// Package resolver is an asynchronous DNS stub resolver.
package resolver
