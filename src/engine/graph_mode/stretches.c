/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/graph_mode/stretches.h"

#include "engine/graph_mode/graph_mode.h"
#include "engine/real.h"

struct graphs_stretch stretches[THREADS_MAX];
bool stretches_are_kept;

/* Errors that an execution ends with when it is run, and accesses that are more than accesses. */
static bool may_be_kept(void)
{
    const struct worker_config *c = &engine.shared->config;
    uint32_t choices = CHOICE_REUSE | CHOICE_RACES | CHOICE_VOLATILE | CHOICE_UNINITIALISED;
    return !(c->choices & choices) && !c->leaks && !c->all_errors && !c->races && !c->all_events;
}

void stretches_prepare(void)
{
    if (stretches_are_kept && graph_mode_interest.shares_nothing)
        explore_graphs_remember_memory(engine.explorer, stretches);
}

/* Something is shared for the first time. */
static bool keep(void)
{
    if (stretches_are_kept || !graph_mode_interest.shares_nothing)
        return stretches_are_kept;
    if (!may_be_kept()) {
        graph_mode_shares();
        return false;
    }
    stretches_are_kept = true;
    graph_mode_interest.states = false;
    stretches_prepare();
    return true;
}

static struct graphs_touch *touch_of(struct graphs_stretch *s, uint64_t address)
{
    for (uint32_t i = 0; i < s->count; i++)
        if (s->touches[i].address == address && !s->touches[i].block)
            return &s->touches[i];
    s->is_cut |= s->count == GRAPHS_TOUCHES;
    if (s->is_cut)
        return NULL;
    s->touches[s->count] = (struct graphs_touch){.address = address};
    return &s->touches[s->count++];
}

static void note_bytes(struct graphs_touch *t, uint8_t bytes, bool writes)
{
    uint8_t now[8];
    real.memcpy(now, (const void *)t->address, sizeof now);
    for (unsigned k = 0; k < 8; k++)
        if (bytes & ~t->touched & 1u << k)
            t->before |= (uint64_t)now[k] << 8 * k;
    t->read |= writes ? 0 : (uint8_t)(bytes & ~t->written);
    t->touched |= bytes;
    t->written |= writes ? bytes : 0;
}

/* A compiler may leave out that a read comes first where a write follows, so what was there before a write counts, too. */
void stretches_note(uint64_t address, size_t size, bool writes)
{
    if (fiber_is_near_stacks(address)) {
        graph_mode_shares();
        return;
    }
    if (!keep())
        return;
    struct graphs_stretch *s = &stretches[engine.current];
    while (size > 0) {
        uint64_t offset = address & 7, part = size < 8 - offset ? size : 8 - offset;
        struct graphs_touch *t = touch_of(s, address - offset);
        if (!t)
            return;
        note_bytes(t, (uint8_t)(((1u << part) - 1) << offset), writes);
        address += part;
        size -= part;
    }
}

void engine_note_block(uint64_t address, size_t size)
{
    if (!graph_mode_interest.shares_nothing || !keep())
        return;
    struct graphs_stretch *s = &stretches[engine.current];
    s->is_cut |= s->count == GRAPHS_TOUCHES || size == 0 || size > GRAPHS_BLOCK_MOST;
    if (!s->is_cut)
        s->touches[s->count++] = (struct graphs_touch){.address = address, .block = (uint32_t)size};
}

void stretches_end(void)
{
    struct graphs_stretch *s = &stretches[engine.current];
    for (uint32_t i = 0; i < s->count; i++) {
        struct graphs_touch *t = &s->touches[i];
        uint8_t now[8];
        if (t->block)
            continue;
        t->after = 0;
        real.memcpy(now, (const void *)t->address, sizeof now);
        for (unsigned k = 0; k < 8; k++)
            t->after |= t->written >> k & 1 ? (uint64_t)now[k] << 8 * k : 0;
    }
}
