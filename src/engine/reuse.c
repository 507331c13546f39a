/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/reuse.h"

#include "base/vec.h"
#include "engine/engine_state.h"

struct freed {
    char *p;
    size_t grains;
};

static VEC(struct freed) freed; /* in this order */
static uint64_t freed_grains;   /* sizes of what was ever freed in this execution, one bit each */

static size_t grains_of(size_t size)
{
    return size / HEAP_GRAIN + (size % HEAP_GRAIN != 0);
}

/* Large sizes share a bit. */
static uint64_t bit_of(size_t grains)
{
    return UINT64_C(1) << (grains < 63 ? grains : 63);
}

/* The byte before a block belongs to no block: no object of the program is released there. */
static uint64_t edge_of(const char *p)
{
    return (uint64_t)p - 1;
}

static bool is_wanted(void)
{
    return engine.shared->config.choices & CHOICE_REUSE;
}

void reuse_reset(void)
{
    freed_grains = 0;
    vec_clear(&freed);
}

void reuse_offer(void *p, size_t size)
{
    size_t grains = grains_of(size);
    freed_grains |= bit_of(grains);
    if (!is_wanted())
        return;
    engine_release(edge_of(p));
    vec_push(&freed, ((struct freed){p, grains}));
}

static bool fits(const struct freed *f, size_t grains, size_t alignment)
{
    return f->grains == grains && ((uint64_t)f->p & (alignment - 1)) == 0;
}

/* The block number `way`, from 1, of those that fit; the last one freed comes first. */
static char *take(uint32_t way, size_t grains, size_t alignment)
{
    size_t k = freed.len;
    while (way > 0)
        way -= fits(&freed.data[--k], grains, alignment);
    char *p = freed.data[k].p;
    for (; k + 1 < freed.len; k++)
        freed.data[k] = freed.data[k + 1];
    freed.len--;
    return p;
}

void *reuse_choose(size_t size, size_t alignment, const void *pc)
{
    size_t grains = grains_of(size);
    if (!is_wanted()) {
        if (freed_grains & bit_of(grains))
            engine_limit(LIMIT_REUSE);
        return NULL;
    }
    engine_refuse_graph("reuse of freed memory", pc);
    engine_step(EVENT_ALLOC, 0, 0, pc); /* another thread may free something first */
    if (!(freed_grains & bit_of(grains)))
        return NULL;
    uint32_t ways = 1;
    for (size_t k = 0; k < freed.len && ways < UINT16_MAX; k++)
        ways += fits(&freed.data[k], grains, alignment);
    uint32_t way = ways > 1 ? engine_branch(ways) : 0;
    if (way == 0)
        return NULL;
    char *p = take(way, grains, alignment);
    engine_note(EVENT_REUSE, (uint64_t)p, 0, ORDER_PLAIN, 0, size, pc);
    engine_acquire(edge_of(p));
    clocks_forget(engine.clocks, (uint64_t)p, grains * HEAP_GRAIN);
    return p;
}
