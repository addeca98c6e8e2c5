// Package arch holds the house rules that a compiler does not: which room may
// import which, where unsafe and system calls may stand, no state in packages,
// no init, documented names, short functions and small interfaces, and what the
// root may show. Its tests apply them to the whole module; what a rule refuses
// is shown, snippet by snippet, in the tests beside it.
//
// A new package needs a line in the table of rooms (rooms.go). A package-level
// table or cache needs one in the table of state (state.go), and a reason.
package arch
