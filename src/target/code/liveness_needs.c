/* SPDX-License-Identifier: Apache-2.0 */
/* Backwards: what is needed. An assignment of what is not needed needs nothing, nor does a branch whose ways differ in nothing
 * that is: so a counter that only says when to yield is not needed. */
#include "target/code/liveness_state.h"

void liveness_add_needs(struct needs *into, struct needs more)
{
    into->registers |= more.registers;
    into->parts |= more.parts;
    into->flags |= more.flags;
}

/* At an instruction; outside of the function: all. */
static struct needs needs_at(const struct liveness *a, size_t k)
{
    return k < a->count ? a->needs[k] : (struct needs){UINT16_MAX, ALL_PARTS, true};
}

struct needs liveness_needs_after(const struct liveness *a, size_t k)
{
    struct needs n = {0};
    enum machine_flow flow = a->effects[k].flow;
    if (liveness_falls_through(flow))
        liveness_add_needs(&n, needs_at(a, liveness_next_of(a, k)));
    bool by_table = liveness_jumps(flow) && liveness_jumps_by_table(a, k);
    for (size_t t = 0; by_table && t < a->tables.len; t++)
        liveness_add_needs(&n, needs_at(a, a->tables.data[t]));
    if (liveness_jumps(flow) && !by_table)
        liveness_add_needs(&n, needs_at(a, liveness_target_of(a, k)));
    if (liveness_pad_of(a, k) < a->count)
        liveness_add_needs(&n, needs_at(a, liveness_pad_of(a, k)));
    return n;
}

bool liveness_overlap(const struct needs *a, const struct needs *b)
{
    return a->registers & b->registers || a->parts & b->parts || (a->flags && b->flags);
}

static bool changes_nothing_needed(const struct liveness *a, size_t k, const struct needs *after)
{
    struct needs writes;
    return liveness_assigns(a, k, &writes) && !liveness_overlap(&writes, after);
}

/* Not shifts, which leave them when they shift by zero. */
bool liveness_overwrites_flags(const struct machine_instruction *i)
{
    switch (i->kind) {
    case KIND_ADD:
    case KIND_SUBTRACT:
    case KIND_AND:
    case KIND_OR:
    case KIND_XOR:
    case KIND_NEGATE:
    case KIND_COMPARE:
    case KIND_TEST: return i->kills & MACHINE_FLAGS;
    default: return i->flow == FLOW_CALL;
    }
}

static struct needs needs_before(const struct liveness *a, size_t k)
{
    const struct effect *e = &a->effects[k];
    const struct machine_instruction *i = &a->code[k].machine;
    struct needs n = liveness_needs_after(a, k);
    if (changes_nothing_needed(a, k, &n))
        return n;
    if (n.registers & e->restores.registers)
        n.parts |= e->restores.parts;
    n.registers &= (uint16_t)~e->kills.registers;
    n.parts &= ~e->kills.parts;
    n.flags &= !liveness_overwrites_flags(i);
    liveness_add_needs(&n, e->uses);
    if (e->printed &&
        needs_at(a, liveness_next_of(a, k)).registers >> RAX & 1) /* not that of a landing pad */
        n.registers |= e->printed;
    n.flags |= (i->reads & MACHINE_FLAGS) != 0 && !a->idle[k].idle;
    return n;
}

/* The least that is enough, if all branches that seem idle are. */
static void iterate(struct liveness *a)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = a->count; k-- > 0;) {
            if (!a->reached[k])
                continue;
            struct needs n = needs_before(a, k), *old = &a->needs[k];
            changed |= n.registers != old->registers || n.parts != old->parts || n.flags != old->flags;
            *old = n;
        }
    }
}

/* Branches whose ways differ in something that is needed where they meet are not idle. More is needed then. */
static bool refute_idle(struct liveness *a)
{
    bool refuted = false;
    for (size_t k = 0; k < a->count; k++) {
        struct idle_branch *b = &a->idle[k];
        if (b->idle && liveness_overlap(&b->writes, &a->needs[b->join])) {
            b->idle = false;
            refuted = true;
        }
    }
    return refuted;
}

void liveness_find_needs(struct liveness *a)
{
    a->idle = NEW_ZEROED(struct idle_branch, a->count);
    for (size_t k = 0; k < a->count; k++)
        if (a->reached[k])
            a->idle[k] = liveness_idle_branch(a, k);
    do
        iterate(a);
    while (refute_idle(a));
}

struct needs *liveness_needs_without(const struct liveness *a, size_t branch)
{
    struct liveness without = *a;
    bool idle = a->idle[branch].idle;
    without.needs = NEW_ZEROED(struct needs, a->count);
    without.idle[branch].idle = true;
    iterate(&without);
    without.idle[branch].idle = idle;
    return without.needs;
}
