// Package vectors holds the messages of testdata/vectors.json for tests: responses to one query that resolvers got wrong,
// and what is right. It tells what should come of them, not how.
package vectors

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"strings"
)

// Want says what an engine should do with a message, sent in reply to its query by the first of two servers.
type Want string

const (
	// Answer: the message is delivered, with its rcode.
	Answer Want = "answer"
	// Drop: over UDP the message is ignored and the wait for the real one goes on. Over TCP, where the rest of the stream may
	// be as bad, ignoring it or closing the connection and asking again are both right.
	Drop Want = "drop"
	// Next: the server has failed, and the next one is asked at once, without waiting for a timeout.
	Next Want = "next"
	// NoEDNS: the server is asked once more, without an OPT record.
	NoEDNS Want = "noedns"
	// TCP: the server is asked once more, over TCP, and nothing of the message is used.
	TCP Want = "tcp"
	// Cookie: the server is asked once more, with the server cookie that the message brought (RFC 7873 5.3).
	Cookie Want = "cookie"
)

// Lookup says what a lookup of the name's addresses should come to, if the message is the only reply there ever is.
type Lookup string

const (
	// Addresses: exactly Vector.Addresses, in any order.
	Addresses Lookup = "addresses"
	// NoData: the name has no address of that kind.
	NoData Lookup = "nodata"
	// NXDomain: there is no such name.
	NXDomain Lookup = "nxdomain"
	// Loop: the aliases lead back to themselves.
	Loop Lookup = "loop"
	// Chain: there are more aliases in a row than the 16 that are followed.
	Chain Lookup = "chain"
	// Failure: any other error. No address of the message is used, and neither "no data" nor "no such name" is concluded from it.
	Failure Lookup = "failure"
)

// Later names what a vector needs beyond matching and parsing; a client without it does not get the vector right yet.
type Later string

const (
	// Cookies: DNS cookies (RFC 7873). Until then the cookies of a message are options like any other.
	Cookies Later = "cookies"
	// Cache: how long what the message says is kept. What it says, Want and Lookup hold without a cache too.
	Cache Later = "cache"
	// HostNames: checking of host names that a message brings. Want holds without it too.
	HostNames Later = "host names"
)

// Vector is one message and what is right.
type Vector struct {
	ID    string // "V01"
	Src   string // where it was found: a CVE, an issue, a test of some resolver
	Right string // what is right, for people

	Name      string // the question, in presentation form
	Type      uint16
	Transport string // "udp", or "tcp" where the message is meant for a stream only

	Want      Want
	WantTCP   Want         // over TCP; the same as Want except where truncation is the point
	Lookup    Lookup       // "" unless Type is A or AAAA
	Addresses []netip.Addr // if Lookup is Addresses
	Later     Later        // "" for nothing

	msg []byte
}

// Message returns a copy of the message with id in place of its ID, as far as it has room for one.
func (v *Vector) Message(id uint16) []byte {
	msg := append([]byte{}, v.msg...)
	if len(msg) >= 2 {
		binary.BigEndian.PutUint16(msg, id)
	}
	return msg
}

// record is a vector as it is in the file.
type record struct {
	ID, Src, Right string
	Qn             string
	Qt             uint16
	Tr             string
	Want           Want
	WantTCP        Want `json:"want_tcp"`
	Lookup         Lookup
	Addresses      []string // "first-last" for a range
	Later          Later
	Hex            string
}

func (r *record) vector() (*Vector, error) {
	v := &Vector{
		ID: r.ID, Src: r.Src, Right: r.Right,
		Name: r.Qn, Type: r.Qt, Transport: r.Tr,
		Want: r.Want, WantTCP: r.WantTCP, Lookup: r.Lookup, Later: r.Later,
	}
	if v.WantTCP == "" {
		v.WantTCP = v.Want
	}
	var err error
	if v.msg, err = hex.DecodeString(r.Hex); err != nil {
		return nil, err
	}
	for _, s := range r.Addresses {
		if v.Addresses, err = appendRange(v.Addresses, s); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// appendRange appends the addresses of s, "first-last" or one alone.
func appendRange(dst []netip.Addr, s string) ([]netip.Addr, error) {
	from, to, ok := strings.Cut(s, "-")
	if !ok {
		to = from
	}
	first, err := netip.ParseAddr(from)
	if err != nil {
		return nil, err
	}
	last, err := netip.ParseAddr(to)
	if err != nil {
		return nil, err
	}
	for a := first; a.Compare(last) <= 0; a = a.Next() {
		dst = append(dst, a)
	}
	return dst, nil
}
