// udns: the same work done by libudns, in a loop around poll(2).
//
//   udns PORT QUERIES OUTSTANDING
#define _GNU_SOURCE
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <udns.h>

#include "meter.h"

static long ended, lost;

static void end(struct dns_ctx *ctx, struct dns_rr_a4 *addrs, void *data) {
    (void)ctx;
    (void)data;
    ended++;
    if (!addrs) lost++;
    free(addrs);
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: udns PORT QUERIES OUTSTANDING\n"), 2;
    long n = atol(argv[2]), limit = atol(argv[3]), begun = 0;
    int big = 16 << 20;
    struct dns_ctx *ctx = &dns_defctx;
    dns_reset(ctx);
    dns_add_serv(ctx, "127.0.0.1");
    dns_set_opt(ctx, DNS_OPT_PORT, atoi(argv[1]));
    struct pollfd file = {.fd = dns_open(ctx), .events = POLLIN};
    if (file.fd < 0) return perror("dns_open"), 1;
    setsockopt(file.fd, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof big);
    struct meter then = meter_read();
    while (ended < n) {
        for (char name[32]; begun < n && begun - ended < limit; begun++) {
            snprintf(name, sizeof name, "h%07ld.example.com", begun % 10000000);
            if (!dns_submit_a4(ctx, name, DNS_NOSRCH, end, NULL)) return fprintf(stderr, "dns_submit_a4: %s\n", dns_strerror(dns_status(ctx))), 1;
        }
        int seconds = dns_timeouts(ctx, -1, 0);
        if (poll(&file, 1, seconds < 0 ? 1000 : seconds * 1000) > 0) dns_ioevent(ctx, 0);
    }
    meter_print(then, n, lost);
    puts("");
    return 0;
}
