/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that all workers of one exploration and the tool share. Work that a worker gives away goes into the box of one
 * that has none; all is done when all are hungry, because a worker stops being hungry the moment another one claims its
 * box. No worker makes a system call while there is work and none is hungry.
 * docs/internals/explore/sharing.md has the protocol. */
#ifndef ENGINE_POOL_H
#define ENGINE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { POOL_WORKERS = 64, POOL_OBJECTS = 4096, POOL_LEARNT = 1 << 16 };
/* Address space, not memory: pages appear when something is written there. */
#define POOL_GIFT_ROOM ((size_t)64 << 20)
#define POOL_SAVE_ROOM ((size_t)1 << 30)
#define POOL_TOO_LARGE UINT64_MAX

enum pool_box_state {
    BOX_CLOSED,  /* its owner works, or is busy with something else */
    BOX_HUNGRY,  /* its owner waits for work */
    BOX_CLAIMED, /* another worker is putting work in */
    BOX_FULL,
};

enum pool_over {
    POOL_GOES_ON,
    POOL_DONE,     /* no worker has work any more */
    POOL_BOUNDED,  /* there is work, but as many executions as asked for were run */
    POOL_DIVIDED,  /* there are as many pieces as wanted: `pieces` */
    POOL_GIVEN_UP, /* all would have to begin again, and this is a part of it: LIMIT_PART */
};

struct pool_box {
    _Alignas(64) uint32_t state; /* enum pool_box_state */
    uint32_t bell;               /* futex: goes up when its owner should look */
    uint32_t gift_epoch;
    uint32_t saved_epoch;
    uint32_t absent; /* its owner could not join */
    uint64_t gift_size;
    /* POOL_TOO_LARGE: it does not fit. Before the start: of the work to begin with */
    uint64_t saved_size;
};

/* What is known about a synchronization object (explore/graphs.h), by all workers together. */
struct pool_object {
    uint64_t address;
    uint8_t locked, no_mutex;
    uint8_t known; /* to be no mutex, by all since an epoch began with it */
    uint8_t unused[5];
};

struct pool {
    uint32_t workers;
    uint32_t has_saves;      /* there is room for saved work, or such work to begin with */
    uint32_t resumes;        /* work to begin with is in the room for saved work */
    uint32_t absent;         /* workers that could not join */
    uint64_t executions_max; /* 0: any number */
    uint32_t pieces_wanted;  /* the first worker divides all work into about so many; 0: it does not */
    uint32_t is_part;        /* others have the rest of the exploration: nothing may begin again */
    /* The queue of pieces in the first worker's room for saved work: a size and as many bytes each */
    struct pool_pieces {
        uint64_t count, from, to;
    } pieces;

    /* Looked at by all between executions. */
    _Alignas(64) uint32_t hungry; /* workers that wait for work; those who could not join count, too */
    uint32_t epoch;               /* goes up when all has to begin again */
    uint32_t save_wanted;         /* goes up when all have to save and wait */
    uint32_t over;                /* enum pool_over */
    uint32_t learnt_count;        /* of `learnt` */

    _Alignas(64) int64_t budget; /* executions still allowed */
    uint32_t save_released;      /* futex: save_wanted, when all may go on */
    uint32_t save_count;         /* futex: how many have saved */
    uint32_t lock;               /* futex: of objects and epoch */
    uint32_t layout_known;       /* futex: the first worker has set `layout` */
    /* Hash of the events of the first execution: others must have the same addresses */
    uint64_t layout;

    uint32_t object_count, objects_lost;
    struct pool_object objects[POOL_OBJECTS];
    struct pool_box boxes[POOL_WORKERS];
    uint64_t learnt[POOL_LEARNT]; /* explore_graphs_learnt of all */
};

static inline size_t pool_header_size(void)
{
    return (sizeof(struct pool) + 65535) & ~(size_t)65535;
}

static inline size_t pool_size(uint32_t workers, bool has_saves)
{
    return pool_header_size() + workers * (POOL_GIFT_ROOM + (has_saves ? POOL_SAVE_ROOM : 0));
}

static inline char *pool_gift(struct pool *p, uint32_t worker)
{
    return (char *)p + pool_header_size() + worker * POOL_GIFT_ROOM;
}

static inline char *pool_save(struct pool *p, uint32_t worker)
{
    return pool_gift(p, p->workers) + worker * POOL_SAVE_ROOM;
}

#endif
