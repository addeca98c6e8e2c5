// Package nettest gives tests two network namespaces with a pair of devices between them, where there is what loopback has not: an interface
// that receives by NAPI. It needs Linux, root, and the programs ip and ethtool.
package nettest
