package resolver_test

const stampedHere = true // sockets with a descriptor say when a datagram came
