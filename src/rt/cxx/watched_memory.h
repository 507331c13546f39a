/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C++ library that we have versions of our own of read and write the program's memory with
 * these: as if the compiler had instrumented them. `pc` is the place that called the function. */
#ifndef RT_WATCHED_MEMORY_H
#define RT_WATCHED_MEMORY_H

#include "engine/engine_quick.h"
#include "rt/access/access.h"
#include "rt/hook.h"

static inline void watched_access(const void *at, size_t size, bool writes, const void *pc)
{
    if (engine_active && size)
        engine_plain_inline((uint64_t)at, size, writes, pc);
}

/* An object at `at`, of any type. */
#define WATCHED_GET(at, pc)                            \
    ({                                                 \
        watched_access((at), sizeof *(at), false, pc); \
        *(volatile __typeof__(*(at)) *)(at);           \
    })

#define WATCHED_SET(at, value, pc)                           \
    ({                                                       \
        __typeof__(*(at)) watched_value = (value);           \
        watched_access((at), sizeof *(at), true, pc);        \
        *(volatile __typeof__(*(at)) *)(at) = watched_value; \
    })

/* The C++ library drops a reference that it counts unseen: an update, acquiring and releasing, of a word of
 * ours. Who drops the last one comes after all the others. */
static inline void watched_drop(uint32_t *drops, const void *pc)
{
    struct access what = {OPERATION_ADD, ORDER_ACQ_REL, ORDER_RELAXED, 1, 0, false};
    access_begin(EVENT_UPDATE, drops, sizeof *drops, what, pc);
    uint32_t before = (*drops)++;
    engine_atomic_inline(EVENT_UPDATE, (uint64_t)drops, sizeof *drops, ORDER_ACQ_REL, before, before + 1, pc);
}

#endif
