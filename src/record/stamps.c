/* SPDX-License-Identifier: Apache-2.0 */
#include "record/stamps.h"
#include "record/handshake.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct stamps_counter stamps_counter;

#define EXCHANGES 3000000UL
#define SECONDS 0.25

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#if defined(__x86_64__)

/* A line of `flags` with both words. Lines are long: read by the word. */
static bool is_invariant(void)
{
    FILE *file = fopen("/proc/cpuinfo", "re");
    char word[64];
    bool is_constant = false, is_nonstop = false;
    if (!file)
        return false;
    while (!(is_constant && is_nonstop) && fscanf(file, "%63s", word) == 1) {
        is_constant |= strcmp(word, "constant_tsc") == 0;
        is_nonstop |= strcmp(word, "nonstop_tsc") == 0;
    }
    fclose(file);
    return is_constant && is_nonstop;
}
static const char clock_name[] = "the time stamp counter";

#elif defined(__aarch64__)

static bool is_invariant(void) /* by the architecture */
{
    return true;
}
static const char clock_name[] = "the counter of the architecture";

#else

static bool is_invariant(void)
{
    return false;
}
static const char clock_name[] = "a counter of the processor";

#endif

static enum stamps use_counter(char *why, size_t size, const char *reason)
{
    snprintf(why, size, "one atomic counter, because %s %s", clock_name, reason);
    return STAMPS_COUNTER;
}

static enum stamps use_clock(bool is_raw, char *why, size_t size, int processors)
{
    int length =
        snprintf(why, size, "%s, %s fences; it is invariant", clock_name, is_raw ? "without" : "with");
    if (length > 0 && (size_t)length < size && processors > 1)
        snprintf(why + length, size - (size_t)length, " and never went back between %d processors",
                 processors);
    return is_raw ? STAMPS_RAW : STAMPS_FENCED;
}

enum stamps stamps_choose(bool is_raw, char *why, size_t size)
{
    cpu_set_t processors;
    if (!is_invariant())
        return use_counter(why, size, "is not said to be invariant here");
    if (sched_getaffinity(0, sizeof processors, &processors) != 0)
        return use_counter(why, size, "could not be tried on all processors");
    switch (handshake_run(&processors, EXCHANGES, SECONDS)) {
    case HANDSHAKE_NEVER_BACK: return use_clock(is_raw, why, size, CPU_COUNT(&processors));
    case HANDSHAKE_BACK: return use_counter(why, size, "went back between two processors");
    case HANDSHAKE_INCOMPLETE: break;
    }
    return use_counter(why, size, "could not be tried on all processors");
}

/* Both clocks are read within a short time of each other: of several tries the shortest counts. */
static void read_clocks(double *seconds, uint64_t *stamp)
{
    double best = 1;
    for (int i = 0; i < 5; i++) {
        double before = clock_seconds();
        uint64_t now = stamp_clock_return();
        double after = clock_seconds();
        if (i > 0 && after - before >= best)
            continue;
        best = after - before;
        *seconds = (before + after) / 2;
        *stamp = now;
    }
}

static double measure_pace(void)
{
    double begin, end;
    uint64_t first, last;
    struct timespec pause = {.tv_nsec = 15000000};
    read_clocks(&begin, &first);
    nanosleep(&pause, NULL);
    read_clocks(&end, &last);
    return end > begin ? (double)(last - first) / (end - begin) : 0;
}

double stamps_per_second(enum stamps stamps)
{
    static _Atomic double pace;
    if (stamps == STAMPS_COUNTER)
        return 0;
#if defined(__aarch64__)
    uint64_t frequency;
    __asm__("mrs %0, cntfrq_el0" : "=r"(frequency));
    return (double)frequency;
#endif
    if (pace == 0)
        pace = measure_pace();
    return pace;
}
