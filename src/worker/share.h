/* SPDX-License-Identifier: Apache-2.0 */
/* A worker's part in an exploration of graphs that several share, or that is saved now and then. Without a pool all of
 * it does nothing. */
#ifndef WORKER_SHARE_H
#define WORKER_SHARE_H

#include "engine/shared/protocol.h"
#include "explore/port.h"

#include <stddef.h>

struct pool;

struct share {
    struct pool *pool; /* null: alone, and nothing is saved */
    uint32_t self;
    struct worker_shared *shared;
    struct explorer *explorer;
    uint32_t epoch, saved;
    size_t learnt_published;
    uint32_t learnt_heard;
    uint64_t objects_published; /* explore_graphs_object_changes when they were */
    bool begins;                /* with the first execution of all */
    bool gives_nothing;         /* a graph did not fit into a box */
    bool has_saved_all;
};

/* Maps the pool, if there is one; its descriptor is closed. */
struct pool *share_map(const struct worker_config *config);

/* Takes part. `layout`: hash of the events of the first execution. False: this process cannot share work with the
 * others, because its addresses are different; it is done then. */
bool share_join(struct share *s, struct pool *pool, struct worker_shared *shared, struct explorer *explorer,
                uint64_t layout);

/* As the explorer's own begin. False, too, when there were as many executions as asked for. */
bool share_begin(struct share *s);

/* Between two executions. False: all stop. */
bool share_attend(struct share *s);
/* An execution that was begun does not count. */
void share_uncount(struct share *s);

/* Nothing is left to do here. Waits for work of others; false: there is none any more. */
bool share_wait(struct share *s);

/* All workers look what has changed. */
void share_ring_all(struct pool *pool);

/* The end: what is left undone is saved, if that is wanted. */
void share_leave(struct share *s);

#endif
