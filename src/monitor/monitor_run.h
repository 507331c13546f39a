/* SPDX-License-Identifier: Apache-2.0 */
/* One run of the monitor over a history, and the parts that it puts off: what the search cannot decide with a small
 * share of work waits until all other parts have had theirs, so that a hard key does not hide a violated one. */
#ifndef MONITOR_RUN_H
#define MONITOR_RUN_H

#include "monitor/monitor.h"
#include "monitor/part.h"

/* A way of deciding, and how many parts of an object went that way. */
struct tally {
    const char *method, *why;
    uint32_t object;
    bool is_open; /* it did not decide them */
    uint64_t parts, operations;
    size_t number; /* for sorting */
};

/* What a decision means depends on how its ranks relate to the history's stamps (ties_tighten, ties_forget). */
enum reading {
    EXACT,
    RELAXED,   /* too few precedences: only a violation counts */
    TIGHTENED, /* too many: only a legal order counts */
};

/* A part that the search has not decided yet. */
struct left_part {
    struct part part;
    uint32_t object;
    const char *why;       /* no fast algorithm decided it */
    uint32_t legal_events; /* how far the search came */
};

struct run {
    const struct history *h;
    const struct monitor_settings *settings;
    struct monitor_result *out;
    struct certificate *certificate;
    enum reading reading;
    const struct part *exact; /* the current object with all its precedences */
    uint32_t object;
    uint64_t share; /* of the search for each part; 0: there is only one */
    VEC(struct tally) tallies;
    VEC(struct left_part) left;
    VEC(struct partition) partitions; /* that parts in `left` are of */
};

/* ---- monitor.c ---- */

/* Steps of the search: some hundredths of a second. */
enum { MONITOR_FIRST_SHARE = 1 << 14, MONITOR_SHARE_GROWS = 8 };

/* Decides by search, or puts the part off. False: it found out nothing that counts in this reading. */
bool monitor_search_part(struct run *r, const struct part *p, const char *why);

/* The part was decided so elsewhere. */
void monitor_count_search(struct run *r, const struct part *p, const char *why);

/* `d`: how far it came; or null. */
void monitor_meet_limit(struct run *r, const struct part *p, const struct decision *d, const char *doing);

/* Violated, or no time is left. */
bool monitor_is_over(const struct run *r);

/* ---- monitor_left.c ---- */

/* Puts `p` off; d->why, d->legal_events. */
void left_add(struct run *r, const struct part *p, const struct decision *d);

/* Frees the partition, unless parts beyond number `left` were put off: they may be of it. */
void left_keep_partition(struct run *r, struct partition *split, size_t left);

/* Decides what was put off, with growing shares. */
void left_decide(struct run *r);
void left_free(struct run *r);

#endif
