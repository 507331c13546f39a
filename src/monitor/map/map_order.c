/* SPDX-License-Identifier: Apache-2.0 */
/* Makes an order of the steps that map_search.c found: puts which change nothing
 * were no steps and are put in between. docs/internals/monitor/map.md. */
#include "base/check.h"
#include "monitor/map/map_run.h"

/* A block that changes nothing, and before which of the steps' operations it goes. */
struct hidden {
    uint32_t position, block;
};

struct building {
    struct map_run *m;
    VEC(struct hidden) hidden;
    uint32_t removed_at; /* position of the last removal */
    enum map_state state;
    uint32_t now;
};

static void build_hidden(struct building *b, uint32_t block, bool to_be_removed)
{
    uint32_t position = to_be_removed ? b->removed_at : b->m->blocks.order_length;
    b->m->blocks.values.data[block].placed = 1;
    vec_push(&b->hidden, ((struct hidden){position, block}));
}

/* Puts that return while `block` owns the key go before it. */
static void build_forced(struct building *b, uint32_t block)
{
    const struct register_run *run = &b->m->blocks;
    uint32_t limit = run->p->order.call[map_last_call(b->m, block)];
    for (uint32_t e = b->now + 1; e < limit; e++) {
        uint32_t other = register_block_at(run, e), i = order_event_op(run->p->order.event[e]);
        if (other != NONE && other != block && !run->values.data[other].placed &&
            order_event_returns(run->p->order.event[e]) && run->values.data[other].first_return == i)
            build_hidden(b, other, map_is_conditional(b->m, block));
    }
}

static void build_step(struct building *b, uint32_t op)
{
    struct register_run *run = &b->m->blocks;
    if (b->m->kind[op] == MAP_REMOVES) {
        b->removed_at = run->order_length;
        b->state = MAP_ABSENT;
        run->order[run->order_length++] = op;
        return;
    }
    uint32_t block = map_block_of(b->m, op);
    build_forced(b, block);
    register_emit_block(run, block);
    b->state = MAP_PRESENT;
}

static void build_merge(struct building *b)
{
    struct register_run *run = &b->m->blocks;
    uint32_t *steps = run->order, count = run->order_length;
    size_t h = 0;
    run->order = NEW_ARRAY(uint32_t, run->p->order.count);
    run->order_length = 0;
    for (uint32_t j = 0; j <= count; j++) {
        for (; h < b->hidden.len && b->hidden.data[h].position == j; h++)
            register_emit_block(run, b->hidden.data[h].block);
        if (j < count)
            run->order[run->order_length++] = steps[j];
    }
    CHECK(h == b->hidden.len);
    free(steps);
}

/* Links the steps that lead to `last` in their own order (`before` is then the one after) and returns the
 * first one. */
static uint32_t reverse_steps(struct map_step *log, uint32_t last)
{
    uint32_t after = NONE;
    while (last != NONE) {
        uint32_t before = log[last].before;
        log[last].before = after;
        after = last;
        last = before;
    }
    return after;
}

static void forget_order(struct register_run *run)
{
    run->order_length = 0;
    for (size_t v = 0; v < run->values.len; v++)
        run->values.data[v].placed = 0;
}

void map_build_order(struct map_run *m, struct map_step *log, uint32_t last)
{
    struct building b = {.m = m};
    const struct register_run *run = &m->blocks;
    const struct order *o = &run->p->order;
    uint32_t step = reverse_steps(log, last);
    forget_order(&m->blocks);
    for (b.now = 0; b.now <= o->event_count; b.now++) {
        for (; step != NONE && log[step].event == b.now; step = log[step].before)
            build_step(&b, log[step].op);
        if (b.now == o->event_count || !order_event_returns(o->event[b.now]))
            continue;
        uint32_t block = register_block_at(run, b.now), i = order_event_op(o->event[b.now]);
        if (block != NONE && run->values.data[block].first_return == i && !run->values.data[block].placed)
            build_hidden(&b, block, b.state == MAP_ABSENT);
    }
    for (size_t v = 0; v < run->values.len; v++)
        if (run->values.data[v].root == v && v != INITIAL_VALUE && !run->values.data[v].placed)
            register_emit_block(&m->blocks, (uint32_t)v);
    build_merge(&b);
    vec_free(&b.hidden);
}
