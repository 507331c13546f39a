/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted for comparisons with other checkers (--compare, --count-histories). Neither is part of checking a test:
 * the harness calls what is set here after an execution, and tables_register is the one place that sets it. */
#ifndef WORKER_TABLES_H
#define WORKER_TABLES_H

#include "worker/verdict/verdict_history.h"

struct tables {
    /* Instead of judging it: adds the histories of an execution, `stuck` or ended, to shared->counted. False: *d says why its
     * answers do not fit the specification. */
    bool (*count)(struct worker_shared *s, const struct graph *g, bool stuck, struct diagnostic *d);
    /* Besides judging it: what other checkers would say goes to shared->compared. `linearizable`: it is known to be. */
    void (*compare)(struct worker_shared *s, const struct graph *g, bool linearizable);
};
extern struct tables tables __attribute__((visibility("hidden")));

void tables_register(const struct worker_config *c);

/* The exploration begins again: nothing was counted. */
void tables_recount(struct worker_shared *s);

/* The two. */
bool count_histories(struct worker_shared *s, const struct graph *g, bool stuck, struct diagnostic *d);
void compare_execution(struct worker_shared *s, const struct graph *g, bool linearizable);

#endif
