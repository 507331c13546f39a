/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker has to do: one execution of its program, or of its test, and all of them. */
#ifndef WORKER_WORK_H
#define WORKER_WORK_H

#include "engine/engine.h"
#include "explore/graphs.h"

struct pool;

struct program {
    int (*main)(int, char **, char **);
    int argc;
    char **argv, **environment;
};

struct work {
    struct worker_shared *shared;
    struct program program;
    bool has_test;
    uint64_t restarts; /* of the explorer, when `cut` and `steps` began to count */
    bool began_again;  /* an execution, since this was last set to false */
    bool compared;     /* the first execution with the one that was rehearsed */
    struct explorer *estimator;
    double estimate_next; /* base_now() at which it is time for more samples */
    double estimated;     /* seconds of them */
};

struct graphs_settings work_graphs_settings(const struct worker_config *c);
struct explorer *work_explorer(const struct worker_shared *s, bool first_only);
/* One execution, judged; again from the start where something was learnt that all of it needs. */
enum port_outcome work_run(struct work *w, struct explorer *explorer);

/* All executions under a memory model, with others that share the work. */
void work_explore_graphs(struct work *w, struct explorer *explorer, struct pool *pool);
/* How many there are, from a few descents. */
void work_estimate_only(struct work *w);

/* All serial executions of the test: they are the specification. */
void work_derive(struct work *w);

#endif
