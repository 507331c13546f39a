/* SPDX-License-Identifier: Apache-2.0 */
/* Priority queues whose removals may be up to K places away. What q contains in a node follows from what has acted and
 * from the debts, so that all nodes share one set of items, ordered by priority, and skip some. */
#include "monitor/container/gaps.h"
#include "monitor/quasi/quasi_events.h"

struct shared_items {
    struct gap_set ranks;
    uint32_t *value_of;    /* by rank */
    VEC(uint32_t) leaving; /* removed by p for good; inside where p still owes them */
    size_t next_sweep;
    uint32_t appended; /* nodes */
};

/* --- what is inside ---------------------------------------------------------------------------------------------- */

/* What was appended are the last steps. */
static bool was_appended(const struct events *e, const struct events_node *n, uint32_t value)
{
    const struct trail_step *steps = e->trail.steps.data;
    for (uint32_t s = n->trail; s != TRAIL_START && steps[s].op == QUASI_NONE; s = steps[s].before)
        if (steps[s].value == value)
            return true;
    return false;
}

static bool is_inside(const struct events *e, const struct events_node *n, uint32_t value)
{
    const struct quasi_value *v = &e->q->values[value];
    if (!events_acted(e, n, v->add, v->ac) || debts_has(events_debts_of_q(e, n), value))
        return false;
    if (e->finishing && was_appended(e, n, value))
        return debts_has(events_debts_of_p(n), value);
    return !events_acted(e, n, v->rem, v->dc) || debts_has(events_debts_of_p(n), value);
}

static uint32_t pqueue_tops(const struct events *e, const struct events_node *n, uint32_t *values)
{
    const struct shared_items *s = e->own;
    for (uint32_t r = gap_set_next(&s->ranks, 0); r != NO_GAP; r = gap_set_next(&s->ranks, r + 1))
        if (is_inside(e, n, s->value_of[r])) {
            *values = s->value_of[r];
            return 1;
        }
    return 0;
}

static uint32_t pqueue_above(const struct events *e, const struct events_node *n, uint32_t value,
                             uint32_t most)
{
    const struct shared_items *s = e->own;
    uint32_t count = 0, end = e->q->values[value].rank;
    for (uint32_t r = gap_set_next(&s->ranks, 0); r < end && count <= most;
         r = gap_set_next(&s->ranks, r + 1))
        count += is_inside(e, n, s->value_of[r]);
    return count;
}

static void pqueue_add(struct events *e, struct events_node *n, uint32_t value)
{
    (void)e, (void)n, (void)value;
}

/* Once removals are appended, nodes with the same debts may differ in what they contain: each stands for itself. */
static void pqueue_remove(struct events *e, struct events_node *n, uint32_t value)
{
    struct shared_items *s = e->own;
    (void)value;
    if (e->finishing)
        n->content = ++s->appended;
}

static void pqueue_called(struct events *e, uint32_t value)
{
    struct shared_items *s = e->own;
    gap_set_add(&s->ranks, e->q->values[value].rank);
    if (e->q->values[value].dr < e->now)
        vec_push(&s->leaving, value);
}

static bool is_owed(const struct events *e, uint32_t value)
{
    for (size_t k = 0; k < e->level.len; k++)
        if (debts_has(events_debts_of_p(events_node_at(e, k)), value))
            return true;
    return false;
}

static void pqueue_returned(struct events *e, uint32_t value)
{
    struct shared_items *s = e->own;
    if (e->q->values[value].ac < e->now)
        vec_push(&s->leaving, value);
    if (s->leaving.len < s->next_sweep)
        return;
    size_t kept = 0;
    for (size_t k = 0; k < s->leaving.len; k++) {
        uint32_t v = s->leaving.data[k];
        if (e->q->values[v].ar > e->now || is_owed(e, v))
            s->leaving.data[kept++] = v;
        else
            gap_set_remove(&s->ranks, e->q->values[v].rank);
    }
    s->leaving.len = kept;
    s->next_sweep = kept + 16;
}

static void pqueue_witness(const struct events *e, const struct trail_step *steps, size_t count,
                           struct quasi_found *found)
{
    (void)e;
    for (size_t k = 0; k < count; k++) {
        if (steps[k].op != QUASI_NONE)
            vec_push(&found->p, steps[k].op);
        else
            vec_push(&found->appended, steps[k].value);
        if (steps[k].pick != QUASI_NONE)
            vec_push(&found->q, steps[k].pick);
    }
}

static uint64_t pqueue_hash(const struct events *e, const struct events_node *n)
{
    (void)e;
    return n->content;
}

static bool pqueue_covers(const struct events *e, const struct events_node *a, const struct events_node *b)
{
    (void)e;
    return a->content == b->content;
}

static const struct events_content pqueue_content = {
    .add = pqueue_add,
    .tops = pqueue_tops,
    .remove = pqueue_remove,
    .above = pqueue_above,
    .hash = pqueue_hash,
    .covers = pqueue_covers,
    .called = pqueue_called,
    .returned = pqueue_returned,
    .witness = pqueue_witness,
};

enum verdict quasi_pqueue_decide(const struct quasi_items *q, unsigned shortcuts, struct budget *budget,
                                 struct quasi_found *found)
{
    struct shared_items s = {.next_sweep = 16};
    struct events e = {
        .q = q, .content = &pqueue_content, .own = &s, .budget = budget, .shortcuts = shortcuts};
    gap_set_create(&s.ranks, q->count);
    s.value_of = NEW_ARRAY(uint32_t, q->count);
    for (uint32_t v = 0; v < q->count; v++)
        s.value_of[q->values[v].rank] = v;
    enum verdict verdict = events_decide(&e, found);
    gap_set_free(&s.ranks);
    free(s.value_of);
    vec_free(&s.leaving);
    return verdict;
}
