// Package wait holds the plainest loops there can be around select(2), poll(2) and epoll_wait(2), and counts what they do: one socket, some queries
// outstanding, and the deadline of the oldest. The loops differ in nothing but how they wait for that deadline: by the timeout of each wait, by a
// timerfd beside the socket and no timeout, or by looking without ever sleeping.
//
// A wait with a timeout has the kernel read its clock: to make the timeout a time, to estimate how accurate it has to be, and, select alone, to tell
// how much of it is left (fs/select.c: poll_select_set_timeout, select_estimate_accuracy, poll_select_finish; fs/eventpoll.c: ep_poll). Nobody
// outside of the kernel can count those reads. KernelReads says what its sources say; what a program can do is measure what a timeout adds.
package wait
