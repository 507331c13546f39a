/* SPDX-License-Identifier: Apache-2.0 */
/* Which rounds there are: short ones, in which things begin and run empty; long ones, in which memory is used again; on
 * processors of their own, wherever the system puts them, more of them than processors. A function of the seed and the number. */
#ifndef STRESS_ROUNDS_H
#define STRESS_ROUNDS_H

#include "native/stress_shared.h"

#include <stdbool.h>

struct stress_schedule {
    uint64_t seed;
    int64_t ops; /* as in struct stress_options */
    uint32_t threads, threads_most, processors;
    bool by_number;      /* long rounds come by number and have a length; otherwise by time */
    uint32_t values;     /* of elements, if there are so few that all rounds have to be short; 0: enough */
    bool is_hard;        /* to decide: all rounds have few calls */
    bool is_whole;       /* every round is judged as a whole */
    uint32_t calls_most; /* of a thread in a segment */
    double slice;        /* seconds of the short rounds, or of the long one, that are next */
    double slice_end;
    double begun; /* the round that was next */
    bool is_long; /* the slice is */
};

/* The round with this number, as the program is to run it. */
struct stress_round stress_schedule_next(struct stress_schedule *s, uint64_t number, double now);

/* Is it judged while it goes on? */
bool stress_round_is_long(const struct stress_schedule *s, const struct stress_round *r);

/* Should the round that goes on end now? */
bool stress_schedule_is_over(const struct stress_schedule *s, const struct stress_round *r, double now);

#endif
