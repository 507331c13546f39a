/* SPDX-License-Identifier: Apache-2.0 */
/* Brings blocks into an order: one pass over the events, in which each block is
 * placed as late as it can be, or earlier when a failed CAS needs another value
 * than the present one. docs/internals/monitor/register.md. */
#include "monitor/register/register_run.h"

enum { RETRIES = 16 };

struct sweep {
    struct register_run *run;
    struct op_heaps heaps;
    /* Heap: blocks without a zone that can be placed now, by their first return */
    uint32_t loose;
    uint32_t zone;  /* block that owns the register now, or NONE */
    uint32_t value; /* the last one placed, */
    uint32_t since; /* and the event at which it was */
    /* The last event at which a loose block was placed for a failed CAS, or NONE */
    uint32_t chosen_at;
    uint32_t other_way[RETRIES]; /* events at which a block with later calls is preferred */
    uint32_t retries;            /* how many there are */
    bool again;                  /* with one more of them */
};

uint32_t register_emit_block(struct register_run *run, uint32_t block)
{
    uint32_t last = block;
    run->values.data[block].placed = 1;
    for (uint32_t v = block; v != NONE; v = run->values.data[v].to) {
        const struct register_value *value = &run->values.data[v];
        if (value->writer != INITIAL_WRITE)
            run->order[run->order_length++] = value->writer;
        for (uint32_t i = value->first_read; i != NONE; i = run->next_read[i])
            run->order[run->order_length++] = i;
        last = v;
    }
    return last;
}

static bool is_first_return(const struct register_run *run, uint32_t block, uint32_t e)
{
    uint32_t event = run->p->order.event[e];
    return order_event_returns(event) && run->values.data[block].first_return == order_event_op(event);
}

/* Is there an event from `from` on and before `to` at which a block returns first that is not placed? */
static bool any_returns_between(const struct register_run *run, uint32_t from, uint32_t to)
{
    for (uint32_t e = from; e < to; e++) {
        uint32_t block = register_block_at(run, e);
        if (block != NONE && !run->values.data[block].placed && is_first_return(run, block, e))
            return true;
    }
    return false;
}

/* A block that is not placed yet and can be placed at event `now` although it has calls later: no other has
 * to be placed before the last of them. NONE: there is none near. */
static uint32_t find_early_block(const struct register_run *run, uint32_t now)
{
    enum { FAR = 256 }; /* events to look at */
    const struct order *o = &run->p->order;
    uint32_t limit = o->event_count - now < FAR ? o->event_count : now + FAR;
    for (uint32_t e = now + 1; e < limit; e++) {
        uint32_t block = register_block_at(run, e);
        if (block == NONE || run->values.data[block].placed)
            continue;
        const struct register_value *b = &run->values.data[block];
        bool called = o->call[b->writer] < now;
        if (called && o->event[e] == b->last_call << 1)
            return block;
        if (is_first_return(run, block, e)) {
            uint32_t end = o->call[b->last_call];
            bool alone = end > now && end < limit && !any_returns_between(run, e + 1, end);
            return called && alone ? block : NONE;
        }
    }
    return NONE;
}

static void sweep_place(struct sweep *s, uint32_t block, uint32_t now)
{
    s->value = register_emit_block(s->run, block);
    s->since = now;
}

static void sweep_place_loose(struct sweep *s, uint32_t now)
{
    uint32_t value = s->run->value_of[op_heap_pop(&s->heaps, &s->loose)];
    uint32_t block = s->run->values.data[value].root;
    sweep_place(s, block == NONE ? value : block, now);
}

/* Places everything that cannot wait until event `limit`. */
static void sweep_place_before(struct sweep *s, uint32_t limit, uint32_t now)
{
    while (s->loose && s->heaps.ret[s->heaps.nodes.data[s->loose].op] < limit)
        sweep_place_loose(s, now);
}

/* The block's first return: before it the block must be in the order. A block with a call after it owns the
 * register from here to its last call (its zone). */
static bool sweep_first_return(struct sweep *s, uint32_t block, uint32_t now)
{
    const struct register_value *b = &s->run->values.data[block];
    if (b->placed)
        return true;
    if (s->zone != NONE) {
        register_core_block(s->run, s->zone);
        register_core_block(s->run, block);
        return false;
    }
    if (register_block_is_loose(s->run, block)) {
        sweep_place_loose(s, now);
    } else {
        sweep_place_before(s, s->run->p->order.call[b->last_call], now);
        sweep_place(s, block, now);
        s->zone = block;
    }
    return true;
}

static bool sweep_place_early(struct sweep *s, uint32_t now)
{
    uint32_t block = find_early_block(s->run, now);
    if (block == NONE)
        return false;
    sweep_place(s, block, now);
    s->zone = block;
    return true;
}

static bool sweep_goes_other_way(const struct sweep *s, uint32_t event)
{
    for (uint32_t k = 0; k < s->retries; k++)
        if (s->other_way[k] == event)
            return true;
    return false;
}

/* A failed CAS that found its own value all the time: put another one behind it, if any can be. If not, the
 * one placed for the last such CAS may have been the wrong one. */
static void sweep_replace_value(struct sweep *s, uint32_t now)
{
    if (s->loose && sweep_goes_other_way(s, now) && sweep_place_early(s, now))
        return;
    if (s->loose) {
        sweep_place_loose(s, now);
        s->chosen_at = now;
    } else if (!sweep_place_early(s, now) && s->chosen_at != NONE && s->retries < RETRIES &&
               !sweep_goes_other_way(s, s->chosen_at)) {
        s->other_way[s->retries++] = s->chosen_at;
        s->again = true;
    }
}

static bool sweep_return(struct sweep *s, uint32_t i, uint32_t block, uint32_t now)
{
    struct register_run *run = s->run;
    if (block != NONE)
        return run->values.data[block].first_return != i || sweep_first_return(s, block, now);
    if (run->value_of[i] == NONE && run->next_read[i] == s->value && s->zone == NONE &&
        s->since <= run->p->order.call[i])
        sweep_replace_value(s, now);
    return true;
}

static void sweep_call(struct sweep *s, uint32_t i, uint32_t block)
{
    struct register_run *run = s->run;
    if (block == NONE) {
        /* No operation saw this write. When it is pending, it happens only if that helps. */
        if (run->value_of[i] != NONE && run->values.data[run->value_of[i]].from == NONE)
            op_heap_push(&s->heaps, &s->loose, i);
    } else if (run->values.data[block].last_call == i) {
        if (s->zone == block)
            s->zone = NONE;
        else if (register_block_is_loose(run, block))
            op_heap_push(&s->heaps, &s->loose, run->values.data[block].first_return);
    }
}

static void sweep_start(struct sweep *s)
{
    struct register_run *run = s->run;
    for (size_t v = 0; s->again && v < run->values.len; v++)
        run->values.data[v].placed = 0;
    s->again = false;
    s->loose = 0;
    op_heaps_free(&s->heaps);
    s->zone = s->chosen_at = NONE;
    s->value = INITIAL_VALUE;
    s->since = 0;
    run->order_length = 0;
    if (run->values.data[INITIAL_VALUE].last_call != NONE) {
        s->value = register_emit_block(run, INITIAL_VALUE);
        s->zone = INITIAL_VALUE;
    }
}

static bool sweep_run(struct sweep *s)
{
    struct register_run *run = s->run;
    const struct order *o = &run->p->order;
    sweep_start(s);
    for (uint32_t e = 0; e < o->event_count && !s->again; e++) {
        uint32_t i = order_event_op(o->event[e]), block = register_block_at(run, e);
        if (!order_event_returns(o->event[e]))
            sweep_call(s, i, block);
        else if (!sweep_return(s, i, block, e))
            return false;
    }
    while (s->loose && !s->again) {
        uint32_t op = op_heap_pop(&s->heaps, &s->loose);
        uint32_t block = run->values.data[run->value_of[op]].root;
        if (block != NONE)
            register_emit_block(run, block);
    }
    return true;
}

bool register_sweep(struct register_run *run)
{
    struct sweep s = {.run = run, .heaps.ret = run->p->order.ret};
    bool found;
    run->order = NEW_ARRAY(uint32_t, run->p->order.count);
    do
        found = sweep_run(&s);
    while (s.again);
    op_heaps_free(&s.heaps);
    return found;
}
