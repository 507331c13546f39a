/* SPDX-License-Identifier: Apache-2.0 */
/* What every replaced function needs. While engine_active is false (before the first execution, inside
 * the runtime itself, in a program that was started without plumb) a hook calls the function it replaces. */
#ifndef RT_HOOK_H
#define RT_HOOK_H

#include "engine/engine.h"
#include "engine/real.h"

#define EXPORT __attribute__((visibility("default")))

/* The place in the program that called the function this is written in. */
#define CALLER __builtin_return_address(0)

/* The function of that name behind ours. */
void *hook_find_next(const char *name);
#define NEXT(name)                                                    \
    ({                                                                \
        static __typeof__(&name) next_function;                       \
        if (!next_function)                                           \
            next_function = (__typeof__(&name))hook_find_next(#name); \
        next_function;                                                \
    })

/* Does the program itself (or its C++ library) read or write here? */
static inline bool hook_is_watched(const void *pc)
{
    return engine_active && snapshot_is_program(pc);
}

/* Code of the C++ library: its own variables live on from one execution to the next. */
bool hook_is_library_code(const void *pc);

/* A number of the current execution. Objects that carry another one are as good as new: memory that the
 * engine does not put back may hold them. */
extern uint32_t hook_stamp;

#endif
