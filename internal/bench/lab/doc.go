// Package lab is what the measuring commands of dnsq share: runs in alternation, a responder in another process on another processor, the processor's
// time used, and the forms in which results leave: a JSON envelope, plots, and rows of a table that sets a document's figures beside this machine's.
//
// A command gets a Lab and returns a Result. What a machine cannot show, it says with Lab.Note instead of measuring something else in silence.
package lab
