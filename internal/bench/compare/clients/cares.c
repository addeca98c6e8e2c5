// cares: the same work done by c-ares, in a loop around poll(2).
//
//   cares PORT QUERIES OUTSTANDING
#define _GNU_SOURCE
#include <ares.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/time.h>

#include "meter.h"

static long ended, lost;

static void end(void *data, int status, int timeouts, unsigned char *msg, int len) {
    (void)data;
    (void)timeouts;
    (void)msg;
    (void)len;
    ended++;
    if (status != ARES_SUCCESS) lost++;
}

static ares_channel open_channel(const char *port) {
    struct ares_options o = {.flags = ARES_FLAG_STAYOPEN, .timeout = 2000, .tries = 3, .socket_receive_buffer_size = 4 << 20};
    int given = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_RCVBUF;
#ifdef ARES_OPT_QUERY_CACHE
    given |= ARES_OPT_QUERY_CACHE; // with a lifetime of 0: every query is sent
#endif
    ares_channel channel;
    char server[32];
    snprintf(server, sizeof server, "127.0.0.1:%s", port);
    if (ares_library_init(ARES_LIB_INIT_ALL) || ares_init_options(&channel, &o, given) || ares_set_servers_ports_csv(channel, server)) {
        fprintf(stderr, "c-ares does not start\n");
        exit(1);
    }
    return channel;
}

static void wait_and_process(ares_channel channel) {
    ares_socket_t sock[ARES_GETSOCK_MAXNUM];
    struct pollfd file[ARES_GETSOCK_MAXNUM];
    int want = ares_getsock(channel, sock, ARES_GETSOCK_MAXNUM), n = 0;
    for (int i = 0; i < ARES_GETSOCK_MAXNUM; i++) {
        short events = 0;
        if (ARES_GETSOCK_READABLE(want, i)) events |= POLLIN;
        if (ARES_GETSOCK_WRITABLE(want, i)) events |= POLLOUT;
        if (events) file[n++] = (struct pollfd){.fd = sock[i], .events = events};
    }
    struct timeval most = {.tv_sec = 1}, left;
    struct timeval *next = ares_timeout(channel, &most, &left);
    int ready = poll(file, (nfds_t)n, (int)(next->tv_sec * 1000 + next->tv_usec / 1000 + 1));
    if (ready == 0) ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    for (int i = 0; ready > 0 && i < n; i++) {
        if (!file[i].revents) continue;
        ares_process_fd(channel, file[i].revents & ~POLLOUT ? file[i].fd : ARES_SOCKET_BAD, file[i].revents & POLLOUT ? file[i].fd : ARES_SOCKET_BAD);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: cares PORT QUERIES OUTSTANDING\n"), 2;
    long n = atol(argv[2]), limit = atol(argv[3]), begun = 0;
    ares_channel channel = open_channel(argv[1]);
    struct meter then = meter_read();
    while (ended < n) {
        for (char name[32]; begun < n && begun - ended < limit; begun++) {
            snprintf(name, sizeof name, "h%07ld.example.com", begun % 10000000);
            ares_query(channel, name, 1 /* IN */, 1 /* A */, end, NULL);
        }
        wait_and_process(channel);
    }
    meter_print(then, n, lost);
    puts("");
    return 0;
}
