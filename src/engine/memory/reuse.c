/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/memory/reuse.h"

#include "base/check.h"
#include "base/vec.h"
#include "engine/graph_mode/graph_mode.h"
#include "engine/engine_state.h"

struct freed {
    char *p;
    size_t grains, alignment;
    uint32_t number, frees; /* explorers of graphs only */
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

bool reuse_wants_index(void)
{
    return is_wanted() && engine_graph_mode;
}

bool reuse_is_same_class(size_t size, size_t alignment, size_t other_size, size_t other_alignment)
{
    return grains_of(size) == grains_of(other_size) && alignment == other_alignment;
}

/* ------------------------------------------------------------------ explorers of graphs */

/* The free blocks of a class are a set of numbers, a value that free adds to and malloc takes from, unordered. What
 * happens before what is another matter: each block counts how often it was freed, and who takes it waits for
 * that. Below the heap there are no objects of the program. */
static uint64_t set_of(size_t grains, size_t alignment)
{
    return HEAP_BASE - 1 - (grains * 64 + (unsigned)__builtin_ctzll(alignment));
}

/* The same for a block in all executions and processes; small where owner and index are. */
static uint32_t number_of(const struct reuse_block *b, const void *pc)
{
    uint64_t sum = (uint64_t)b->owner + b->index, number = sum * (sum + 1) / 2 + b->owner;
    if (number >= OPERATION_SET_MAX)
        engine_give_up(pc,
                       "reuse of so many blocks of one size in an exploration of graphs (--mode dfs can)");
    return (uint32_t)number;
}

static struct freed offer_in_graph(const struct reuse_block *b, const void *pc)
{
    struct freed f = {b->p, grains_of(b->size), b->alignment, number_of(b, pc), b->frees};
    engine_describe(OPERATION_STORE, f.frees, 0, ORDER_RELEASE);
    engine_step(EVENT_FREE, edge_of(f.p), 0, pc);
    engine_describe(OPERATION_OFFER, f.number, 0, ORDER_RELAXED);
    engine_step(EVENT_FREE, set_of(f.grains, f.alignment), 0, pc);
    return f;
}

static bool is_in_class(const struct freed *f, size_t grains, size_t alignment)
{
    return f->grains == grains && f->alignment == alignment;
}

static bool has_class(size_t grains, size_t alignment)
{
    for (size_t k = 0; k < freed.len; k++)
        if (is_in_class(&freed.data[k], grains, alignment))
            return true;
    return false;
}

static struct freed remove_numbered(uint32_t number, size_t grains, size_t alignment)
{
    size_t k = 0;
    while (k < freed.len &&
           !(freed.data[k].number == number && is_in_class(&freed.data[k], grains, alignment)))
        k++;
    CHECK(k < freed.len); /* what the step reads has happened */
    struct freed f = freed.data[k];
    freed.data[k] = freed.data[--freed.len];
    return f;
}

/* New or not is chosen first: a new block has nothing to do with the freed ones. */
static void *choose_in_graph(size_t grains, size_t alignment, const void *pc)
{
    graph_mode_settle();
    if (engine.count == 1 && !has_class(grains, alignment))
        return NULL;
    if (engine_branch(2) == 0)
        return NULL;
    engine_describe(OPERATION_PICK, 0, 0, ORDER_RELAXED);
    engine_describe_assumption();
    engine_step(EVENT_ALLOC, set_of(grains, alignment), 0, pc);
    struct freed f = remove_numbered(engine_picked(), grains, alignment);
    engine_describe(OPERATION_AWAIT_REACHED, f.frees, 0, ORDER_ACQUIRE);
    engine_describe_assumption();
    engine_step(EVENT_ALLOC, edge_of(f.p), 0, pc);
    return f.p;
}

/* ------------------------------------------------------------------ explorers of schedules */

void reuse_offer(const struct reuse_block *b, const void *pc)
{
    size_t grains = grains_of(b->size);
    freed_grains |= bit_of(grains);
    if (!is_wanted())
        return;
    if (engine_graph_mode) {
        struct freed f = offer_in_graph(b, pc);
        vec_push(&freed, f);
        return;
    }
    engine_release(edge_of(b->p));
    vec_push(&freed, ((struct freed){.p = b->p, .grains = grains}));
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

static void *choose(size_t grains, size_t alignment, const void *pc)
{
    engine_step(EVENT_ALLOC, 0, 0, pc); /* another thread may free something first */
    if (!(freed_grains & bit_of(grains)))
        return NULL;
    uint32_t ways = 1;
    for (size_t k = 0; k < freed.len && ways < UINT16_MAX; k++)
        ways += fits(&freed.data[k], grains, alignment);
    uint32_t way = ways > 1 ? engine_branch(ways) : 0;
    return way ? take(way, grains, alignment) : NULL;
}

void *reuse_choose(size_t size, size_t alignment, const void *pc)
{
    size_t grains = grains_of(size);
    if (!is_wanted()) {
        if (freed_grains & bit_of(grains))
            engine_limit(LIMIT_REUSE);
        return NULL;
    }
    void *p = engine_graph_mode ? choose_in_graph(grains, alignment, pc) : choose(grains, alignment, pc);
    if (p)
        engine_note(EVENT_REUSE, (uint64_t)p, 0, ORDER_PLAIN, 0, size, pc);
    return p;
}

/* Where a graph decides, a thread that still has the old pointer may come later as well as earlier: then the free must not be
 * forgotten. What later steps find is the graph's business: the filling is a write. */
void reuse_begin(void *p, size_t size, const void *pc)
{
    if (engine_graph_mode) {
        engine_restart_objects((uint64_t)p, size, 0);
        if (size) /* last: what is written is looked at later */
            engine_plain((uint64_t)p, size, true, pc);
        return;
    }
    engine_acquire(edge_of(p));
    clocks_forget(engine.clocks, (uint64_t)p, grains_of(size) * HEAP_GRAIN);
}
