/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C++ library that we have versions of our own of read and write the program's memory with
 * these: as if the compiler had instrumented them. `pc` is the place that called the function. */
#ifndef RT_WATCHED_MEMORY_H
#define RT_WATCHED_MEMORY_H

#include "engine/engine_quick.h"
#include "rt/hook.h"

static inline void watched_access(const void *at, size_t size, bool writes, const void *pc)
{
    if (engine_active && size)
        engine_plain_inline((uint64_t)at, size, writes, false, pc);
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

#endif
