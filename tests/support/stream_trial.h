/* SPDX-License-Identifier: Apache-2.0 */
/* Random histories for stream_compare.c, as events and as operations. */
#ifndef STREAM_TRIAL_H
#define STREAM_TRIAL_H

#include "history/events.h"
#include "spec/registry.h"

/* Random numbers that only depend on the seed. */
extern uint64_t stream_random;
uint32_t stream_below(uint32_t bound);

enum { TRIAL_THREADS = 4 }; /* of histories that are simulated */

/* How a busy container is used: shares in percent, and one in so many. */
struct usage {
    uint32_t additions, looks, first; /* `first`: so many operations only add */
    uint32_t repeat, crash, unknown;
    uint32_t look_at_stream;
};

struct trial {
    const struct plumb_spec *spec;
    bool busy;
    struct usage usage;
    struct history *names, *file; /* the second has the operations, too */
    struct plumb_spec_options options;
    void *state, *before; /* now, and some steps ago */
    int64_t clock;
    int64_t fresh;
    struct {
        uint32_t index; /* operation in the file + 1; 0: idle */
        bool done, crashed;
        plumb_value result;
    } threads[TRIAL_THREADS];
    VEC(struct history_event) events;
    size_t most_kept; /* operations of the stream at one time */
};

/* Trial `n`; `wild`: the container it is about, with operations anywhere; null: anything. */
struct trial create_trial(uint64_t n, const char *wild);
void destroy_trial(struct trial *t);

/* Is trial n one that was made by hand? It is violated. */
bool trial_is_crafted(uint64_t n);

#endif
