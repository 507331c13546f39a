/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/race/clocks.h"

#include "engine/race/clocks_state.h"

static void thread_start(struct clocks *c, uint32_t thread, int32_t clock)
{
    struct thread_clocks *t = &c->threads[thread];
    t->hb.lane[thread] = clock;
    vector_clear(&t->pending, 0, c->width);
    vector_clear(&t->fenced, 0, c->width);
    c->started |= UINT64_C(1) << thread;
}

/* Vectors in use get zeros for the threads that they could not name so far; those of threads have them. */
void clocks_widen(struct clocks *c, uint32_t thread)
{
    uint32_t old = c->width;
    for (size_t i = 0; i < c->shadow.live; i++)
        if (c->shadow.cells[i].bytes)
            clocks_spread_cell(c, &c->shadow.cells[i]);
    c->shadow.wide = true; /* from now on */
    while (c->width <= thread)
        c->width *= 2;
    for (size_t i = 0; i < c->vectors.len; i++)
        vector_clear(&c->vectors.data[i], old, c->width);
}

struct clocks *clocks_create(void)
{
    struct clocks *c = NEW(struct clocks);
    c->width = LANES;
    shadow_init(&c->shadow);
    clocks_reset(c);
    return c;
}

void clocks_destroy(struct clocks *c)
{
    if (!c)
        return;
    shadow_free(&c->shadow);
    vec_free(&c->vectors);
    vec_free(&c->spare);
    vec_free(&c->races);
    free(c);
}

void clocks_reset(struct clocks *c)
{
    shadow_reset(&c->shadow);
    vec_clear(&c->vectors);
    vec_clear(&c->spare);
    vec_clear(&c->races);
    c->started = 0;
    vector_clear(&c->threads[0].hb, 0, c->width);
    thread_start(c, 0, 1);
}

void clocks_fork(struct clocks *c, uint32_t parent, uint32_t child)
{
    struct thread_clocks *from = thread_get(c, parent);
    CHECK(child < CLOCKS_THREADS_MAX && child != parent);
    if (child >= c->width)
        clocks_widen(c, child);
    struct thread_clocks *to = &c->threads[child];
    int32_t ended = 0;
    if (c->started >> child & 1) { /* a number is free again when its thread was joined */
        ended = to->hb.lane[child];
        CHECK(from->hb.lane[child] >= ended);
    }
    vector_copy(&to->hb, &from->hb, c->width);
    thread_start(c, child, ended + 1);
    thread_advance(from, parent);
}

void clocks_join(struct clocks *c, uint32_t waiter, uint32_t ended)
{
    vector_join(&thread_get(c, waiter)->hb, &thread_get(c, ended)->hb, c->width);
}

int32_t clocks_now(struct clocks *c, uint32_t thread)
{
    return thread_get(c, thread)->hb.lane[thread];
}

bool clocks_includes(struct clocks *c, uint32_t thread, uint32_t other, int32_t clock)
{
    return other < c->width ? thread_get(c, thread)->hb.lane[other] >= clock : clock == 0;
}

void clocks_fence(struct clocks *c, uint32_t thread, unsigned order)
{
    struct thread_clocks *t = thread_get(c, thread);
    if (order_acquires(order))
        vector_join(&t->hb, &t->pending, c->width);
    if (order_releases(order)) {
        vector_copy(&t->fenced, &t->hb, c->width);
        thread_advance(t, thread);
    }
}

/* Synchronization objects: a record at the first byte, which accesses to the memory leave alone. */

static struct shadow_record *object_find(struct clocks *c, struct shadow_cell *cell, uint8_t bytes)
{
    struct shadow_record *records = shadow_records(&c->shadow, cell);
    for (uint32_t i = 0; i < cell->count; i++)
        if (shadow_kind(records[i].tag) == SHADOW_OBJECT && shadow_bytes(records[i].tag) == bytes)
            return &records[i];
    return NULL;
}

void clocks_acquire(struct clocks *c, uint32_t thread, uint64_t object)
{
    struct thread_clocks *t = thread_get(c, thread);
    struct shadow_cell *cell = shadow_find_cell(&c->shadow, object >> SHADOW_GRANULE_LOG);
    if (!cell || cell->bytes)
        return;
    const struct shadow_record *found = object_find(c, cell, (uint8_t)(1u << (object & 7)));
    if (found)
        vector_join(&t->hb, &c->vectors.data[found->vector], c->width);
}

void clocks_release(struct clocks *c, uint32_t thread, uint64_t object)
{
    struct thread_clocks *t = thread_get(c, thread);
    struct shadow_cell *cell = shadow_get_cell(&c->shadow, object >> SHADOW_GRANULE_LOG, 0, 0);
    uint8_t bytes = (uint8_t)(1u << (object & 7));
    if (cell->bytes)
        clocks_spread_cell(c, cell);
    const struct shadow_record *found = object_find(c, cell, bytes);
    if (found) {
        vector_join(&c->vectors.data[found->vector], &t->hb, c->width);
    } else {
        uint64_t number = vector_take(c), tag = shadow_tag(0, 0, SHADOW_OBJECT, 0);
        vector_copy(&c->vectors.data[number], &t->hb, c->width);
        shadow_add_record(&c->shadow, cell, shadow_with_bytes(tag, bytes), number);
    }
    thread_advance(t, thread);
}

static bool record_is_write(const struct shadow_record *r, uint8_t bytes, uint64_t except)
{
    unsigned kind = shadow_kind(r->tag);
    return kind & CLOCKS_WRITES && shadow_bytes(r->tag) & bytes &&
           !(kind == SHADOW_PLAIN_WRITE && (r->pc == except || except == CLOCKS_ANY_PLAIN));
}

static bool compact_was_written(const struct shadow_cell *cell, uint64_t except)
{
    const lanes *clocks = cell->compact.clocks;
    bool counts = except != CLOCKS_ANY_PLAIN && (cell->write_place & (COMPACT_PC_END - 1)) != except;
    return lanes_any(clocks[COMPACT_ATOMIC_WRITE] > 0) ||
           (counts && lanes_any(clocks[COMPACT_PLAIN_WRITE] > 0));
}

static bool cell_was_written(const struct clocks *c, struct shadow_cell *cell, uint8_t bytes, uint64_t except)
{
    if (cell->bytes && cell->other && cell_was_written(c, &c->shadow.cells[cell->other], bytes, except))
        return true;
    if (cell->bytes)
        return cell->bytes & bytes && compact_was_written(cell, except);
    const struct shadow_record *records = shadow_records(&c->shadow, cell);
    for (uint32_t i = 0; i < cell->count; i++)
        if (record_is_write(&records[i], bytes, except))
            return true;
    return false;
}

bool clocks_was_written_elsewhere(struct clocks *c, uint64_t address, size_t size, uint64_t pc)
{
    struct span span = span_of(address, size);
    for (uint64_t granule = span_first_granule(span); granule <= span_last_granule(span); granule++) {
        struct shadow_cell *cell = shadow_find_cell(&c->shadow, granule);
        if (cell && cell_was_written(c, cell, span_bytes(span, granule), pc))
            return true;
    }
    return false;
}

bool clocks_was_written(struct clocks *c, uint64_t address, size_t size)
{
    return clocks_was_written_elsewhere(c, address, size, UINT64_MAX);
}

static void cell_forget(struct clocks *c, struct shadow_cell *cell, uint8_t bytes)
{
    if (cell->bytes && !cell->other && !(cell->bytes & ~bytes)) {
        compact_forget(cell);
        return;
    }
    if (cell->bytes)
        clocks_spread_cell(c, cell);
    struct shadow_record *records = shadow_records(&c->shadow, cell);
    for (uint32_t i = 0; i < cell->count;)
        if (!record_cut(c, cell, records, i, bytes))
            i++;
}

void clocks_forget(struct clocks *c, uint64_t address, size_t size)
{
    if (!size)
        return;
    struct span span = span_of(address, size);
    uint64_t first = span_first_granule(span), last = span_last_granule(span);
    if (last - first > c->shadow.mask) { /* cheaper to look at every cell */
        for (size_t i = 0; i <= c->shadow.mask; i++) {
            const struct shadow_slot *slot = &c->shadow.slots[i];
            if (slot->stamp == c->shadow.stamp && slot->granule >= first && slot->granule <= last)
                cell_forget(c, &c->shadow.cells[slot->cell], span_bytes(span, slot->granule));
        }
        return;
    }
    for (uint64_t granule = first; granule <= last; granule++) {
        struct shadow_cell *cell = shadow_find_cell(&c->shadow, granule);
        if (cell)
            cell_forget(c, cell, span_bytes(span, granule));
    }
}
