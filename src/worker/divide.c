/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/divide.h"

#include "engine/shared/work_pool.h"
#include "explore/graphs_sharing.h"
#include "worker/harness/harness.h"

#include <string.h>

static void put(struct pool *p, const void *bytes, uint64_t size)
{
    if (size > POOL_SAVE_ROOM - sizeof size - p->pieces.to)
        harness_refuse("its executions are too long to be divided into pieces");
    char *room = pool_save(p, 0) + p->pieces.to;
    memcpy(room, &size, sizeof size);
    memcpy(room + sizeof size, bytes, size);
    p->pieces.to += sizeof size + size;
    p->pieces.count++;
}

static void take_oldest(struct share *s)
{
    struct pool *p = s->pool;
    const char *room = pool_save(p, 0) + p->pieces.from;
    uint64_t size;
    memcpy(&size, room, sizeof size);
    if (!explore_graphs_take(s->explorer, room + sizeof size, size))
        harness_refuse("a piece of its own work cannot be read");
    p->pieces.from += sizeof size + size;
    p->pieces.count--;
}

/* What is left besides alternatives: what was learnt about loops that wait. */
static void end(struct share *s)
{
    const void *bytes;
    size_t size = explore_graphs_save(s->explorer, &bytes);
    if (size > 0)
        put(s->pool, bytes, size);
    __atomic_store_n(&s->pool->over, POOL_DIVIDED, __ATOMIC_SEQ_CST);
    share_ring_all(s->pool);
}

/* Of what was taken from the queue nothing is left in the room. */
static void move_up(struct pool *p)
{
    enum { UNUSED_MOST = 64 << 20 };
    struct pool_pieces *q = &p->pieces;
    if (q->from < UNUSED_MOST || q->from < q->to - q->from)
        return;
    char *room = pool_save(p, 0);
    memcpy(room, room + q->from, q->to - q->from);
    q->to -= q->from;
    q->from = 0;
}

/* A tree may be so narrow that there are never as many alternatives at a time. */
static bool is_enough(const struct share *s)
{
    enum { EXECUTIONS_EACH = 4 };
    const struct pool *p = s->pool;
    return p->pieces.count >= p->pieces_wanted || p->pieces.to > POOL_SAVE_ROOM / 2 ||
           s->shared->executions >= (uint64_t)p->pieces_wanted * EXECUTIONS_EACH;
}

bool divide(struct share *s)
{
    struct pool *p = s->pool;
    const void *bytes;
    explore_graphs_save(s->explorer, &bytes); /* locks that wait become alternatives */
    for (size_t size; (size = explore_graphs_give(s->explorer, &bytes)) > 0;)
        put(p, bytes, size);
    if (is_enough(s)) {
        end(s);
        return false;
    }
    divide_again(s);
    return true;
}

bool divide_again(struct share *s)
{
    if (s->pool->pieces.count == 0)
        return false;
    take_oldest(s);
    move_up(s->pool);
    return true;
}
