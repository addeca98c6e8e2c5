// meter.h: what the C clients measure of themselves and the line that they print. Include it behind _GNU_SOURCE.
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

struct meter {
    double wall, cpu; // seconds
};

static inline double wall_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline struct meter meter_read(void) {
    struct rusage r;
    getrusage(RUSAGE_SELF, &r);
    double cpu = (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1e6;
    return (struct meter){wall_seconds(), cpu};
}

// meter_print tells what n queries took since then.
static inline void meter_print(struct meter then, long n, long lost) {
    struct meter now = meter_read();
    printf("n=%ld qps=%.0f cpu_ns=%.1f lost=%ld", n, (double)n / (now.wall - then.wall), (now.cpu - then.cpu) * 1e9 / (double)n, lost);
}
