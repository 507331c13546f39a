/* SPDX-License-Identifier: Apache-2.0 */
/* std::thread: what the C++ library does to the object beside calling pthread_join and pthread_detach; and threads that it does not
 * start. */
#include "engine/code/imports.h"
#include "rt/cxx/watched_memory.h"

#include <pthread.h>

/* The object is empty afterwards. The library has written that already; here it happens once more, to be seen. */
static void become_empty(pthread_t *thread, pthread_t before, const void *pc)
{
    *(volatile pthread_t *)thread = before;
    WATCHED_SET(thread, 0, pc);
}

#define LEAVES_EMPTY(name)                                     \
    EXPORT void name(pthread_t *thread)                        \
    {                                                          \
        pthread_t before = WATCHED_GET(thread, CALLER);        \
        NEXT(name)(thread); /* throws if there is no thread */ \
        become_empty(thread, before, CALLER);                  \
    }

LEAVES_EMPTY(_ZNSt6thread4joinEv)
LEAVES_EMPTY(_ZNSt6thread6detachEv)

/* A parallel algorithm runs in one thread: include/plumb/libstdc++/execution. */
EXPORT void __plumb_note_parallel(void)
{
    struct import_call call = {.name = "std::execution::par in several threads", .library = "libstdc++"};
    if (engine_active)
        engine_note_unseen(&call);
}
