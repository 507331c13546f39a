/* SPDX-License-Identifier: Apache-2.0 */
/* Pending removals: each may have taken any value that is still inside at the end, or nothing.
 *
 * The solver runs with none of them used. If it rejects, its core K can only be repaired by giving one of
 * K's values that were not removed to one of the pending removals: branch over exactly those. The
 * union of the cores met on the way is itself a core. */
#include "monitor/container/container.h"

#include "base/hash.h"
#include "base/sort.h"

#include <string.h>

struct branching {
    struct container *c;
    container_solver *solve;
    struct budget *budget;
    uint32_t *taken_by;      /* per pending removal: the value, or NO_VALUE */
    struct hash_map refuted; /* fingerprints of assignments known to fail */
    uint64_t fingerprint;    /* of the current assignment: sum of mixed pairs */
    VEC(uint32_t) core;      /* union of the cores met */
    uint8_t *in_core;
};

static uint64_t pair_mark(uint32_t v, uint32_t k)
{
    return hash_word(((uint64_t)v << 32 | k) + 1);
}

static void take(struct branching *b, uint32_t v, uint32_t k)
{
    b->taken_by[k] = v;
    b->fingerprint += pair_mark(v, k);
    container_assign(b->c, v, b->c->pending_removals.data[k]);
    b->c->value_of[b->c->pending_removals.data[k]] = v;
}

static void untake(struct branching *b, uint32_t v, uint32_t k)
{
    b->c->value_of[b->c->pending_removals.data[k]] = NO_VALUE;
    container_assign(b->c, v, NO_OP);
    b->fingerprint -= pair_mark(v, k);
    b->taken_by[k] = NO_VALUE;
}

static void join_core(struct branching *b, const struct decision *d)
{
    for (size_t k = 0; k < d->core.len; k++) {
        uint32_t op = d->core.data[k];
        if (!b->in_core[op]) {
            b->in_core[op] = 1;
            vec_push(&b->core, op);
        }
    }
}

static enum verdict try_assignments(struct branching *b, struct decision *d);

static enum verdict try_values_of_core(struct branching *b, const struct decision *failed, struct decision *d)
{
    struct container *c = b->c;
    for (size_t i = 0; i < failed->core.len; i++) {
        uint32_t op = failed->core.data[i], v = c->value_of[op];
        if (v == NO_VALUE || c->values[v].rem != NO_OP || c->values[v].add != op)
            continue;
        for (uint32_t k = 0; k < c->pending_removals.len; k++) {
            if (b->taken_by[k] != NO_VALUE)
                continue;
            take(b, v, k);
            enum verdict verdict = try_assignments(b, d);
            if (verdict != VERDICT_VIOLATED)
                return verdict; /* HOLDS keeps the assignment: the witness names its removals */
            untake(b, v, k);
        }
    }
    return VERDICT_VIOLATED;
}

static enum verdict try_assignments(struct branching *b, struct decision *d)
{
    if (hash_map_get(&b->refuted, b->fingerprint) != HASH_NO_NUMBER)
        return VERDICT_VIOLATED;
    if (budget_time_is_up(b->budget) || !budget_charge(b->budget, 16))
        return VERDICT_INCONCLUSIVE;
    struct decision own = {0};
    enum verdict verdict = b->solve(b->c, b->budget, &own);
    if (verdict == VERDICT_VIOLATED) {
        join_core(b, &own);
        verdict = try_values_of_core(b, &own, d);
        if (verdict == VERDICT_VIOLATED)
            *hash_map_at(&b->refuted, b->fingerprint) = 0;
        decision_free(&own);
        return verdict;
    }
    decision_free(d);
    *d = own;
    return verdict;
}

static enum verdict decide_by_branching(struct container *c, struct budget *budget, container_solver *solve,
                                        struct decision *d)
{
    struct branching b = {.c = c, .solve = solve, .budget = budget};
    b.taken_by = NEW_ARRAY(uint32_t, c->pending_removals.len);
    for (size_t k = 0; k < c->pending_removals.len; k++)
        b.taken_by[k] = NO_VALUE;
    b.in_core = NEW_ZEROED(uint8_t, c->part->order.count);
    size_t charged = budget->bytes_used;
    enum verdict verdict = try_assignments(&b, d);
    budget->bytes_used = charged;
    if (verdict == VERDICT_VIOLATED) {
        for (size_t k = 0; k < b.core.len; k++)
            vec_push(&d->core, b.core.data[k]);
        for (size_t k = 0; k < c->pending_removals.len; k++)
            if (!b.in_core[c->pending_removals.data[k]])
                vec_push(&d->core, c->pending_removals.data[k]);
    }
    d->verdict = verdict;
    free(b.taken_by);
    free(b.in_core);
    vec_free(&b.core);
    hash_map_free(&b.refuted);
    return verdict;
}

/* ------------------------------------------------------------------ queues without peeks */

static bool goes_by_order(const struct container *c)
{
    return c->part->spec->kind == PLUMB_KIND_QUEUE && !c->next_peek;
}

/* Values that are inside at the end, by the time by which they were certainly added. */
static uint32_t *list_unremoved(const struct container *c, uint32_t *count)
{
    uint32_t *unremoved = NEW_ARRAY(uint32_t, c->value_count);
    OWNED uint64_t *added = NEW_ARRAY(uint64_t, c->value_count);
    *count = 0;
    for (uint32_t v = 0; v < c->value_count; v++) {
        added[v] = c->values[v].ar;
        if (c->values[v].rem == NO_OP)
            unremoved[(*count)++] = v;
    }
    sort_by_key(unremoved, *count, added);
    return unremoved;
}

/* Pending removals are listed in the order of their calls. */
static void assign_in_order(struct container *c, const uint32_t *unremoved, uint32_t count)
{
    for (uint32_t k = 0; k < count && k < c->pending_removals.len; k++) {
        uint32_t op = c->pending_removals.data[k];
        container_assign(c, unremoved[k], op);
        c->value_of[op] = unremoved[k];
    }
}

/* What leaves a queue first was there first: the earliest pending removal takes the first value that no other removal took,
 * and so on; what none is left for stays. One that was not needed acts at the end. */
static enum verdict decide_in_order(struct container *c, struct budget *budget, container_solver *solve,
                                    struct decision *d)
{
    uint32_t count, *unremoved = list_unremoved(c, &count);
    assign_in_order(c, unremoved, count);
    enum verdict verdict = solve(c, budget, d);
    if (verdict == VERDICT_VIOLATED) {
        for (uint32_t k = 0; k < count; k++)
            container_add_to_core(c, unremoved[k], d);
        for (size_t k = 0; k < c->pending_removals.len; k++)
            vec_push(&d->core, c->pending_removals.data[k]);
    }
    free(unremoved);
    return verdict;
}

static enum verdict decide_pending(struct container *c, struct budget *budget, container_solver *solve,
                                   struct decision *d)
{
    return goes_by_order(c) ? decide_in_order(c, budget, solve, d) : decide_by_branching(c, budget, solve, d);
}

enum verdict container_decide(const struct part *p, struct budget *budget, container_solver *solve,
                              struct decision *d)
{
    struct container c;
    enum verdict verdict = container_build(&c, p, d);
    if (verdict == VERDICT_HOLDS) {
        verdict = c.pending_removals.len ? decide_pending(&c, budget, solve, d) : solve(&c, budget, d);
        d->verdict = verdict;
        if (verdict == VERDICT_HOLDS)
            container_insert_free_reads(&c, d);
    }
    container_free(&c);
    return verdict;
}
