// reflect: a responder that costs so little that a benchmark measures the client. Every query gets one A record, 192.0.2.1, TTL 60.
//
//   reflect PORT plain|gso|stamps [HELD]
//
// plain receives and sends 64 datagrams a system call. gso receives trains (UDP_GRO) and answers each with a train (UDP_SEGMENT). stamps is
// plain, and on an interrupt it prints how many datagrams the kernel stamped (SO_TIMESTAMPNS in socket(7)) in each millisecond from the first
// of them to the last, and ends. With HELD
// it keeps the last so many replies back and releases older ones 64 at a time, so that a client has to keep more than that outstanding. Where
// no query comes for 2 ms it releases 1,024 of them all the same. It prints a line once it listens on 127.0.0.1 and runs until it is killed.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

enum { BATCH = 64, TRAIN = 65536, LARGEST = 65507, HEADER = 12, SHORT = 128, DRAIN = 16, BINS = 120000 };

static const uint8_t record[] = {0xc0, HEADER, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1};

static uint8_t queries[BATCH][TRAIN], replies[BATCH][TRAIN];
static struct sockaddr_in peer[BATCH];
static struct iovec from[BATCH], to[BATCH];
static struct mmsghdr in[BATCH], out[BATCH];
static union {
    char octets[CMSG_SPACE(sizeof(struct timespec))]; // or a size
    struct cmsghdr align;
} extra_in[BATCH], size_out[BATCH];

// question_end is the offset behind the one question of a query, 0 for what is none.
static int question_end(const uint8_t *q, int len) {
    if (len < HEADER || q[2] >> 7 || q[4] || q[5] != 1) return 0;
    int at = HEADER;
    while (at < len && q[at] > 0 && q[at] < 64) at += 1 + q[at];
    at += 1 + 4;
    return at <= len && q[at - 5] == 0 ? at : 0;
}

// answer writes the reply to q and returns its length.
static int answer(uint8_t *reply, const uint8_t *q, int len) {
    int end = question_end(q, len);
    if (!end) return 0;
    memcpy(reply, q, (size_t)end);
    reply[2] = (uint8_t)(0x84 | (q[2] & 0x79)); // QR, AA, the query's opcode and RD
    reply[3] = 0x80;                            // RA, NOERROR
    memset(reply + 6, 0, 6);
    reply[7] = 1;
    memcpy(reply + end, record, sizeof record);
    return end + (int)sizeof record;
}

// answer_train answers the len octets of the received batch entry i, each datagram of them size octets long, into the entry k to be sent. It
// returns how many octets to send, and in *each how long a reply is. What has another length than the first ends the train.
static int answer_train(int i, int len, int size, int k, int *each) {
    int used = 0;
    *each = 0;
    for (int at = 0; at < len; at += size) {
        if (used + size + (int)sizeof record > LARGEST) break;
        int n = answer(replies[k] + used, queries[i] + at, len - at < size ? len - at : size);
        if (*each && n > *each) break; // a longer one cannot follow
        used += n;
        if (!*each) *each = n;
        if (n < *each) break; // a shorter one is the last
    }
    return used;
}

static int train_size(struct mmsghdr *m) {
    struct cmsghdr *c = CMSG_FIRSTHDR(&m->msg_hdr);
    return c && c->cmsg_type == UDP_GRO ? *(int *)CMSG_DATA(c) : (int)m->msg_len;
}

// segment makes the entry k to be sent a train of datagrams of each octets.
static void segment(int k, int each) {
    size_out[k].align = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(uint16_t)), .cmsg_level = IPPROTO_UDP, .cmsg_type = UDP_SEGMENT};
    *(uint16_t *)CMSG_DATA(&size_out[k].align) = (uint16_t)each;
    out[k].msg_hdr.msg_control = &size_out[k];
    out[k].msg_hdr.msg_controllen = CMSG_SPACE(sizeof(uint16_t));
}

static void send_batch(int s, int k) {
    for (int done = 0; done < k;) {
        int sent = sendmmsg(s, out + done, (unsigned)(k - done), 0);
        done += sent > 0 ? sent : 1; // a client that has gone costs its replies
    }
}

// held are replies kept back, the oldest at first, in a ring.
static struct reply {
    struct sockaddr_in to;
    int len;
    uint8_t octets[SHORT];
} *held;
static long room, first, n_held;

// hold keeps back the replies to a received batch. A long one is dropped: the ring has no room for it.
static void hold(int n) {
    for (int i = 0; i < n; i++) {
        int len = (int)in[i].msg_len, size = train_size(&in[i]);
        for (int at = 0; at < len && n_held < room; at += size) {
            struct reply *r = &held[(first + n_held) % room];
            int left = len - at < size ? len - at : size;
            if (left + (int)sizeof record > SHORT || !(r->len = answer(r->octets, queries[i] + at, left))) continue;
            r->to = peer[i];
            n_held++;
        }
    }
}

// release sends the n oldest replies, those in a row to one client of one length as a train where longest is more than 1.
static void release(int s, int n, int longest) {
    static struct iovec part[BATCH];
    int k = 0, used = 0;
    while (used < n) {
        struct reply *r = &held[(first + used) % room];
        int begin = used;
        for (struct reply *o = r; used < n && used - begin < longest && o->len == r->len && o->to.sin_port == r->to.sin_port;
             o = &held[(first + used) % room])
            part[used++] = (struct iovec){o->octets, (size_t)o->len};
        out[k].msg_hdr = (struct msghdr){.msg_name = &r->to, .msg_namelen = sizeof r->to, .msg_iov = &part[begin], .msg_iovlen = (size_t)(used - begin)};
        if (used - begin > 1) segment(k, r->len);
        k++;
    }
    send_batch(s, k);
    first = (first + n) % room, n_held -= n;
}

// hold_and_release is told of a received batch, or with n < 1 that none has come.
static void hold_and_release(int s, int n, long keep, int longest) {
    hold(n);
    while (n_held >= keep + BATCH) release(s, BATCH, longest);
    for (int i = 0; n < 1 && n_held > 0 && i < DRAIN; i++) release(s, n_held < BATCH ? (int)n_held : BATCH, longest);
}

static int answer_batch(int n) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        int each, used = answer_train(i, (int)in[i].msg_len, train_size(&in[i]), k, &each);
        if (!used) continue;
        to[k] = (struct iovec){replies[k], (size_t)used};
        out[k].msg_hdr = (struct msghdr){.msg_name = &peer[i], .msg_namelen = sizeof peer[i], .msg_iov = &to[k], .msg_iovlen = 1};
        if (used > each) segment(k, each);
        k++;
    }
    return k;
}

// bins has how many datagrams were stamped in each millisecond since the first, up to the bin last.
static unsigned bins[BINS];
static long last = -1;
static volatile sig_atomic_t interrupted;

static void interrupt(int number) { interrupted = number; }

static void want_stamps(int s) {
    int on = 1;
    struct timeval often = {.tv_usec = 100000}; // an interrupt between two receives is seen then
    if (setsockopt(s, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on)) perror("SO_TIMESTAMPNS"), exit(1);
    setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &often, sizeof often);
}

// count puts the n datagrams of a received batch into their bins.
static void count(int n) {
    static long long first;
    for (int i = 0; i < n; i++) {
        struct cmsghdr *c = CMSG_FIRSTHDR(&in[i].msg_hdr);
        if (!c || c->cmsg_type != SCM_TIMESTAMPNS) continue;
        struct timespec *t = (struct timespec *)CMSG_DATA(c);
        long long ns = t->tv_sec * 1000000000LL + t->tv_nsec;
        if (last < 0) first = ns;
        long bin = ns > first ? (long)((ns - first) / 1000000) : 0;
        if (bin >= BINS) continue;
        bins[bin]++;
        if (bin > last) last = bin;
    }
}

static int print_bins(void) {
    for (long i = 0; i <= last; i++) printf("%u ", bins[i]);
    puts("");
    return 0;
}

static int listen_on(int port, int gso) {
    int big = 64 << 20, on = 1, s = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (setsockopt(s, SOL_SOCKET, SO_RCVBUFFORCE, &big, sizeof big)) setsockopt(s, SOL_SOCKET, SO_RCVBUF, &big, sizeof big);
    if (setsockopt(s, SOL_SOCKET, SO_SNDBUFFORCE, &big, sizeof big)) setsockopt(s, SOL_SOCKET, SO_SNDBUF, &big, sizeof big);
    if (gso && setsockopt(s, IPPROTO_UDP, UDP_GRO, &on, sizeof on)) perror("UDP_GRO"), exit(1);
    if (bind(s, (struct sockaddr *)&here, sizeof here)) perror("bind"), exit(1);
    return s;
}

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4) return fprintf(stderr, "usage: reflect PORT plain|gso|stamps [HELD]\n"), 2;
    int gso = !strcmp(argv[2], "gso"), stamps = !strcmp(argv[2], "stamps"), s = listen_on(atoi(argv[1]), gso);
    if (stamps) want_stamps(s);
    sigaction(SIGINT, &(struct sigaction){.sa_handler = stamps ? interrupt : SIG_DFL}, NULL); // what runs in the background inherits that it is ignored
    long keep = argc > 3 ? atol(argv[3]) : 0;
    if (keep > 0) {
        struct timeval quiet = {.tv_usec = 2000};
        setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &quiet, sizeof quiet);
        room = keep + BATCH * BATCH * 2;
        held = calloc((size_t)room, sizeof *held);
    }
    puts("listening");
    fflush(stdout);
    while (!interrupted) {
        for (int i = 0; i < BATCH; i++) {
            from[i] = (struct iovec){queries[i], TRAIN};
            in[i].msg_hdr = (struct msghdr){.msg_name = &peer[i], .msg_namelen = sizeof peer[i], .msg_iov = &from[i], .msg_iovlen = 1};
            if (gso || stamps) in[i].msg_hdr.msg_control = &extra_in[i], in[i].msg_hdr.msg_controllen = sizeof extra_in[i];
        }
        int n = recvmmsg(s, in, BATCH, MSG_WAITFORONE, NULL);
        if (n < 0 && errno != EINTR && errno != EAGAIN) return perror("recvmmsg"), 1;
        if (stamps) count(n);
        if (keep > 0)
            hold_and_release(s, n, keep, gso ? BATCH : 1);
        else
            send_batch(s, answer_batch(n));
    }
    return print_bins();
}
