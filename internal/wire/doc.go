// Package wire reads and writes DNS messages as octets (RFC 1035 section 4), in place and without allocating.
//
// A query is built with [AppendQuery]. Of a datagram that came in, [PeekHeader] and [SameQuestion] tell whether it belongs to
// that query before anything else is looked at; [Check] then passes over the whole message once and says whether it is well formed, and
// [Walk] yields its records as offsets. Names are compared with [NamesEqual] and shown with [AppendNameText], both straight from
// the message. Messages on a stream are framed by [AppendFrame] and taken out of it by [Frames].
//
// Nothing here trusts what it reads: compression pointers lead strictly backwards and at most 127 times, a name has at most 255 octets, no
// memory follows from a count in a header, and the worst message of 65,535 octets costs a few milliseconds. The package knows no
// sockets and no policy, and imports the standard library alone.
package wire
