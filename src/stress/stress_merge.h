/* SPDX-License-Identifier: Apache-2.0 */
/* The calls and returns of a segment in the order of time. */
#ifndef STRESS_MERGE_H
#define STRESS_MERGE_H

#include "stress/stress_records.h"

/* Where one thread is in its calls. */
struct stress_cursor {
    const struct stress_call *at, *end;
    bool returns; /* its next event is the return of *at */
};

struct stress_merge {
    VEC(struct stress_cursor) heap; /* the earliest first */
};

/* Of the calls of the log from number `from` on, all of which have returned. */
void stress_merge_begin(struct stress_merge *m, const struct stress_log *log, size_t from);

/* The earliest event that was not taken yet; null: there is none. */
static inline const struct stress_cursor *stress_merge_first(const struct stress_merge *m)
{
    return m->heap.len ? &m->heap.data[0] : NULL;
}

static inline int64_t stress_cursor_time(const struct stress_cursor *c)
{
    return c->returns ? c->at->ret : c->at->call;
}

/* Takes it. */
void stress_merge_next(struct stress_merge *m);

#endif
