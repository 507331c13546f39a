/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/threads/locks.h"

#include "base/hash.h"

static struct hash_map early; /* initialised before the first execution */

void object_note_early(const void *at)
{
    *hash_map_at(&early, (uint64_t)at) = 1;
}

static _Noreturn void fail(struct object o, const char *how, const void *pc)
{
    engine_fail(WORKER_ERROR_MISUSE, (uint64_t)o.at, pc, "the %s %s", o.what, how);
}

void object_check(struct object o, const void *pc)
{
    heap_check((uint64_t)o.at, o.size, pc);
    if (o.mark == OBJECT_DESTROYED)
        fail(o, "was destroyed before", pc);
    if (o.mark == OBJECT_NEVER)
        fail(o, "was never initialised", pc);
}

void object_check_begun(struct object o, const void *pc)
{
    object_check(o, pc);
    bool begun = o.mark == OBJECT_LIVE || o.mark == OBJECT_UNTIMED;
    if (!begun && hash_map_get(&early, (uint64_t)o.at) == HASH_NO_NUMBER)
        fail(o, "was never initialised", pc);
}

/* On a stack the word may be what another object left there, in a function that has returned. */
void object_begin(struct object o, const void *pc)
{
    uint32_t user;
    heap_check((uint64_t)o.at, o.size, pc);
    bool live = o.mark == OBJECT_LIVE || o.mark == OBJECT_UNTIMED;
    if (live && !engine_is_stack((uint64_t)o.at))
        fail(o, "is initialised again before it was destroyed", pc);
    if (engine_is_in_use((uint64_t)o.at, &user))
        engine_fail(WORKER_ERROR_MISUSE, (uint64_t)o.at, pc,
                    "the %s is initialised, and nothing orders this after its use by T%u", o.what, user);
    engine_plain_object((uint64_t)o.at, o.size, pc);
}

void object_end(struct object o, const void *pc)
{
    uint32_t user;
    object_check(o, pc);
    if (engine_is_in_use((uint64_t)o.at, &user))
        engine_fail(WORKER_ERROR_DESTROY, (uint64_t)o.at, pc,
                    "the %s is destroyed, and nothing orders this after the last use by T%u", o.what, user);
    engine_plain_object((uint64_t)o.at, o.size, pc); /* for schedules, which do not know the graph */
}
