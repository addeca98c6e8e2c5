// floor: the least that a client can spend on a UDP query here: one connected socket, edge-triggered epoll, 64 datagrams a system call,
// and nothing that has to do with DNS but the octets.
//
//   floor PORT QUERIES OUTSTANDING mmsg|gso
//
// mmsg sends with sendmmsg, gso sends trains (UDP_SEGMENT) and takes trains (UDP_GRO). Both receive with recvmmsg. With one query
// outstanding the median round trip is printed too.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "meter.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { BATCH = 64, QUERY = 38, SLOT = 2048, TRAIN = 65536 };

static struct client {
    int sock, poll, gso;
    long n, limit;              // queries to make, and how many of them at a time
    long sent, got, lost;
    uint8_t query[BATCH][QUERY]; // end to end: a train
    struct mmsghdr out[BATCH], in[BATCH];
    struct iovec from[BATCH], to[BATCH];
    union {
        char octets[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } size_out, size_in[BATCH];
} c;

// The queries differ in ID and name: "h" and seven digits under example.com, type A.
static void write_query(uint8_t *q, long number) {
    static const char tail[] = "\7example\3com\0\0\1\0";
    static const uint8_t head[] = {0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 8, 'h'};
    memcpy(q, head, sizeof head);
    q[0] = (uint8_t)(number >> 8);
    q[1] = (uint8_t)number;
    for (int i = 20; i > 13; i--, number /= 10) q[i] = (uint8_t)('0' + number % 10);
    memcpy(q + 21, tail, sizeof tail);
    q[37] = 1;
}

static void set_up(int port) {
    int big = 16 << 20, on = 1;
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    c.sock = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    c.poll = epoll_create1(0);
    if (setsockopt(c.sock, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof big)) setsockopt(c.sock, SOL_SOCKET, SO_RCVBUF, &big, sizeof big);
    if (setsockopt(c.sock, SOL_SOCKET, SO_SNDBUFFORCE, &big, sizeof big)) setsockopt(c.sock, SOL_SOCKET, SO_SNDBUF, &big, sizeof big);
    if (c.gso && setsockopt(c.sock, IPPROTO_UDP, UDP_GRO, &on, sizeof on)) perror("UDP_GRO"), exit(1);
    struct epoll_event watch = {.events = EPOLLIN | EPOLLET};
    if (connect(c.sock, (struct sockaddr *)&to, sizeof to) || epoll_ctl(c.poll, EPOLL_CTL_ADD, c.sock, &watch)) perror("floor"), exit(1);

    size_t slot = c.gso ? TRAIN : SLOT;
    uint8_t *memory = calloc(BATCH, slot);
    for (int i = 0; i < BATCH; i++) {
        c.from[i] = (struct iovec){c.query[i], QUERY};
        c.out[i].msg_hdr = (struct msghdr){.msg_iov = &c.from[i], .msg_iovlen = 1};
        c.to[i] = (struct iovec){memory + (size_t)i * slot, slot};
        c.in[i].msg_hdr = (struct msghdr){.msg_iov = &c.to[i], .msg_iovlen = 1};
    }
    c.size_out.align = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(uint16_t)), .cmsg_level = IPPROTO_UDP, .cmsg_type = UDP_SEGMENT};
    *(uint16_t *)CMSG_DATA(&c.size_out.align) = QUERY;
}

// send_some sends k queries and returns how many left.
static int send_some(int k) {
    for (int i = 0; i < k; i++) write_query(c.query[i], c.sent + i);
    if (!c.gso) {
        int sent = sendmmsg(c.sock, c.out, (unsigned)k, 0);
        return sent < 0 ? 0 : sent;
    }
    struct iovec train = {c.query, (size_t)k * QUERY};
    struct msghdr m = {.msg_iov = &train, .msg_iovlen = 1};
    if (k > 1) m.msg_control = c.size_out.octets, m.msg_controllen = CMSG_SPACE(sizeof(uint16_t));
    return sendmsg(c.sock, &m, 0) < 0 ? 0 : k;
}

// datagrams counts what lies in the received train i.
static long datagrams(int i) {
    struct cmsghdr *size = CMSG_FIRSTHDR(&c.in[i].msg_hdr);
    if (!size || size->cmsg_type != UDP_GRO) return 1;
    long each = *(int *)CMSG_DATA(size);
    return ((long)c.in[i].msg_len + each - 1) / each;
}

static void receive_all(void) {
    for (int n = BATCH; n == BATCH;) {
        for (int i = 0; c.gso && i < BATCH; i++)
            c.in[i].msg_hdr.msg_control = &c.size_in[i], c.in[i].msg_hdr.msg_controllen = sizeof c.size_in[i];
        n = recvmmsg(c.sock, c.in, BATCH, 0, NULL);
        for (int i = 0; i < n; i++) c.got += c.gso ? datagrams(i) : 1;
    }
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc != 5) return fprintf(stderr, "usage: floor PORT QUERIES OUTSTANDING mmsg|gso\n"), 2;
    c.n = atol(argv[2]), c.limit = atol(argv[3]), c.gso = !strcmp(argv[4], "gso");
    set_up(atoi(argv[1]));
    long trips = 0;
    double *trip = c.limit == 1 ? calloc((size_t)c.n, sizeof *trip) : NULL, began = 0;
    struct meter then = meter_read();
    while (c.got + c.lost < c.n) {
        if (trip) began = wall_seconds();
        for (int k = 1; k > 0;) {
            long room = c.limit - (c.sent - c.got - c.lost);
            if (room > c.n - c.sent) room = c.n - c.sent;
            k = room > 0 ? send_some(room > BATCH ? BATCH : (int)room) : 0;
            c.sent += k;
        }
        struct epoll_event event;
        if (epoll_wait(c.poll, &event, 1, 500) > 0)
            receive_all();
        else
            c.lost = c.sent - c.got;
        if (trip && trips < c.n) trip[trips++] = wall_seconds() - began;
    }
    meter_print(then, c.n, c.lost);
    if (trips > 0) {
        qsort(trip, (size_t)trips, sizeof *trip, by_value);
        printf(" p50_us=%.1f", trip[trips / 2] * 1e6);
    }
    puts("");
    return 0;
}
