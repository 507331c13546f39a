/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/threads/locks.h"

#include "base/hash.h"
#include "base/vec.h"
#include "engine/memory/frames.h"
#include "rt/start.h"

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

/* ------------------------------------------------------------------ locks that are held */

struct holder {
    struct object lock;
    uint32_t thread;
};
static VEC(struct holder) holders;
size_t objects_held;

BEFORE_EACH_EXECUTION(holders_reset)
{
    vec_clear(&holders);
    objects_held = 0;
}

void object_hold(struct object o)
{
    vec_push(&holders, ((struct holder){o, engine_current()}));
    objects_held = holders.len;
    frames_watch_exits |= engine_is_stack((uint64_t)o.at);
}

static struct holder *find_holder(const void *at)
{
    for (size_t k = holders.len; k-- > 0;)
        if (holders.data[k].lock.at == at && holders.data[k].thread == engine_current())
            return &holders.data[k];
    return NULL;
}

bool object_is_held(const void *at)
{
    return find_holder(at) != NULL;
}

static void remove_holder(struct holder *h)
{
    *h = vec_last(&holders);
    objects_held = --holders.len;
}

void object_drop(const void *at)
{
    struct holder *h = find_holder(at);
    if (h)
        remove_holder(h);
}

void object_forget_holders(const void *at)
{
    for (size_t k = holders.len; k-- > 0;)
        if (holders.data[k].lock.at == at)
            remove_holder(&holders.data[k]);
}

void objects_fail_held(uint64_t from, uint64_t to, const char *how, const void *pc)
{
    for (size_t k = 0; k < holders.len; k++) {
        struct object o = holders.data[k].lock;
        if ((uint64_t)o.at < to && from < (uint64_t)o.at + o.size)
            engine_fail(WORKER_ERROR_DESTROY, (uint64_t)o.at, pc, "the %s %s while T%u holds it", o.what, how,
                        holders.data[k].thread);
    }
}

/* ------------------------------------------------------------------ lives */

/* On a stack the word may be what another object left there, in a function that has returned. */
void object_begin(struct object o, const void *pc)
{
    uint32_t user;
    heap_check((uint64_t)o.at, o.size, pc);
    bool live = o.mark == OBJECT_LIVE || o.mark == OBJECT_UNTIMED;
    if (live && !engine_is_stack((uint64_t)o.at))
        fail(o, "is initialised again before it was destroyed", pc);
    objects_check_held((uint64_t)o.at, (uint64_t)o.at + o.size, "is initialised", pc);
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
