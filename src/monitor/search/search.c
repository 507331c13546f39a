/* SPDX-License-Identifier: Apache-2.0 */
/* Event by event, the search keeps the set of all (mask, state) that some
 * order of the operations so far leads to; operations act as late as possible, when one
 * that returns forces it. docs/internals/monitor/search.md gives the argument. */
#include "monitor/search/search.h"

#include "base/check.h"
#include "monitor/search/search_state.h"
#include "spec/registry.h"

#include <string.h>

enum { CROWD = 16 }; /* nodes on the way for each that a beam keeps */

struct search {
    const struct part *part;
    const struct plumb_spec *spec;
    struct decision *decision;
    struct account account;
    struct level level;
    struct step_log log;
    struct slots slots;
    uint64_t *parent_mask, *child_mask; /* level.width words each */
    size_t mask_cap;
    VEC(uint32_t) candidates;
    VEC(uint32_t) absorbed;
    void *spare; /* a copy of the state of the node that is expanded, or null */
    const struct search_way *way;
    bool narrowed; /* nodes were left out: no legal order found means nothing */
};

static bool is_blocked(const struct slot *x, const uint64_t *mask)
{
    return x->after != SLOT_NONE && (x->after == SLOT_LATER || !mask_has(mask, x->after));
}

static bool is_spent(const struct search *s)
{
    return s->account.budget->spent != BUDGET_LEFT;
}

/* Lets every open effect-free operation act that can, and lists them in `absorbed`: acting early is never
 * worse, because no answer changes. With ties one may have to wait for another. */
static void absorb_readers(struct search *s, uint64_t *mask, void *state)
{
    bool again;
    vec_clear(&s->absorbed);
    do {
        again = false;
        for (size_t k = 0; k < s->slots.readers.len; k++) {
            uint32_t slot = s->slots.readers.data[k];
            const struct slot *x = &s->slots.at[slot];
            if (mask_has(mask, slot) || is_blocked(x, mask) || !s->spec->step(state, &x->call, 0, NULL))
                continue;
            mask_set(mask, slot);
            vec_push(&s->absorbed, x->op);
            again = s->slots.followed != NULL;
        }
    } while (again);
}

static uint32_t log_absorbed(struct search *s, uint32_t entry)
{
    for (size_t k = 0; k < s->absorbed.len; k++)
        entry = log_append(&s->log, entry, s->absorbed.data[k]);
    return entry;
}

/* Optional, and no operation has to follow it: using it only matters for what it does to the state. */
static bool is_dispensable(const struct search *s, const struct slot *x)
{
    return x->ret == ORDER_NEVER && !(s->slots.followed && s->slots.followed[x->op]);
}

/* The node after `slot` acted in the parent and led to `state`. */
static void add_child(struct search *s, uint32_t parent_log, uint32_t slot, void *state)
{
    memcpy(s->child_mask, s->parent_mask, s->level.width * sizeof *s->child_mask);
    if (!s->way->unlimited || !is_dispensable(s, &s->slots.at[slot]))
        mask_set(s->child_mask, slot);
    absorb_readers(s, s->child_mask, state);
    size_t child = level_add(&s->level, s->child_mask, state);
    if (child == LEVEL_NONE)
        return;
    uint32_t entry = log_append(&s->log, parent_log, s->slots.at[slot].op);
    s->level.nodes[child].log = log_absorbed(s, entry);
}

/* Adds a child of `node` for every outcome of the operation in `slot`. A dispensable one that changes
 * nothing need not have happened. */
static void add_outcomes(struct search *s, size_t node, uint32_t slot)
{
    const struct slot *x = &s->slots.at[slot];
    uint32_t parent_log = s->level.nodes[node].log;
    const void *parent = s->level.nodes[node].state;
    for (unsigned choice = 0; !budget_exhausted(s->account.budget); choice++) {
        if (!s->spare)
            s->spare = s->spec->clone(parent);
        if (!s->spec->step(s->spare, &x->call, choice, NULL))
            return;
        if (is_dispensable(s, x) && s->spec->equal(s->spare, parent))
            continue;
        void *state = s->spare;
        s->spare = NULL;
        add_child(s, parent_log, slot, state);
        if (x->one_outcome)
            return;
    }
}

/* Lists the open operations that may act next. Of twins only the first is tried. */
static void find_candidates(struct search *s, const uint64_t *mask)
{
    vec_clear(&s->candidates);
    for (size_t k = 0; k < s->slots.writers.len; k++) {
        uint32_t slot = s->slots.writers.data[k];
        const struct slot *x = &s->slots.at[slot];
        if (mask_has(mask, slot) || is_blocked(x, mask))
            continue;
        if (x->twin_before == SLOT_NONE || mask_has(mask, x->twin_before))
            vec_push(&s->candidates, slot);
    }
}

static void drop_spare(struct search *s)
{
    if (s->spare)
        s->spec->destroy(s->spare);
    s->spare = NULL;
}

/* Adds all children of a node. `consume`: the node will not be looked up again, so that its state
 * can be used up instead of copied. */
static void expand(struct search *s, size_t node, bool consume)
{
    memcpy(s->parent_mask, level_mask(&s->level, node), s->level.width * sizeof *s->parent_mask);
    find_candidates(s, s->parent_mask);
    size_t count = s->candidates.len;
    for (size_t k = 0; k < count && !is_spent(s); k++) {
        uint32_t slot = s->candidates.data[k];
        if (consume && k + 1 == count && !s->spare && s->slots.at[slot].one_outcome)
            s->spare = level_take_state(&s->level, node);
        add_outcomes(s, node, slot);
    }
    drop_spare(s);
    if (consume && !level_is_dead(&s->level, node))
        s->spec->destroy(level_take_state(&s->level, node));
}

/* Are there more nodes on the way than a beam of this width wants to look at? */
static bool is_crowded(const struct search *s)
{
    return s->way->beam && s->level.len / CROWD > s->way->beam;
}

/* Adds everything that can be reached from nodes without `target`, up to where it has acted. From a single
 * node, nodes come in the order of how many writers acted: none is reached again once it is expanded. */
static void close_over(struct search *s, uint32_t target)
{
    bool consume = s->level.len == 1 && !s->way->unlimited;
    if (!level_index(&s->level))
        return;
    for (size_t v = 0; v < s->level.len && !is_spent(s); v++) {
        if (is_crowded(s)) {
            s->narrowed = true;
            return;
        }
        if (!level_is_dead(&s->level, v) && !mask_has(level_mask(&s->level, v), target))
            expand(s, v, consume);
    }
}

static size_t count_with(const struct level *l, uint32_t slot)
{
    size_t count = 0;
    for (size_t v = 0; v < l->len; v++)
        count += !level_is_dead(l, v) && mask_has(level_mask(l, v), slot);
    return count;
}

static bool widen_masks(struct search *s)
{
    if (!level_widen(&s->level, s->slots.used))
        return false;
    if (s->mask_cap >= s->level.width)
        return true;
    s->mask_cap = s->level.width;
    s->parent_mask = base_realloc(s->parent_mask, s->mask_cap * sizeof *s->parent_mask);
    s->child_mask = base_realloc(s->child_mask, s->mask_cap * sizeof *s->child_mask);
    return true;
}

static void on_call(struct search *s, uint32_t op)
{
    uint32_t slot = slots_open(&s->slots, op);
    if (slot == SLOT_NONE || !widen_masks(s))
        return;
    const struct slot *x = &s->slots.at[slot];
    if (is_dispensable(s, x))
        level_mark_pending(&s->level, slot);
    if (!x->effect_free)
        return;
    for (size_t v = 0; v < s->level.len && !is_spent(s); v++) {
        struct level_node *node = &s->level.nodes[v];
        uint64_t *mask = level_mask(&s->level, v);
        if (s->slots.followed) {
            absorb_readers(s, mask, node->state);
            node->log = log_absorbed(s, node->log);
        } else if (s->spec->step(node->state, &x->call, 0, NULL)) {
            mask_set(mask, slot);
            node->log = log_append(&s->log, node->log, op);
        }
    }
}

/* False: no order survives, or the budget is spent. */
static bool on_return(struct search *s, uint32_t op)
{
    uint32_t slot = s->slots.of_op[op];
    if (count_with(&s->level, slot) < s->level.len)
        close_over(s, slot);
    if (is_spent(s) || !count_with(&s->level, slot))
        return false;
    level_keep(&s->level, slot);
    slots_close(&s->slots, slot);
    if (s->way->beam && s->level.len > s->way->beam) {
        level_narrow(&s->level, s->way->beam);
        s->narrowed = true;
    }
    return true;
}

static size_t node_weight(const struct search *s, size_t node)
{
    size_t weight = 0;
    for (size_t k = 0; k < s->slots.used; k++)
        if (mask_has(level_mask(&s->level, node), (uint32_t)k))
            weight += s->slots.at[k].ret != ORDER_NEVER;
    return weight;
}

/* The order of the node in which the most completed operations have acted. */
static void save_prefix(struct search *s)
{
    if (!s->way->keep_prefix)
        return;
    size_t best = 0;
    for (size_t v = 1; v < s->level.len; v++)
        if (node_weight(s, v) > node_weight(s, best))
            best = v;
    log_flush(&s->log, s->level.nodes[best].log, s->decision);
}

/* Orders that were being extended when the budget ran out may lack entries; those in the witness do not. */
static enum verdict give_up(struct search *s, uint32_t events)
{
    s->decision->legal_events = events;
    return VERDICT_INCONCLUSIVE;
}

static enum verdict reject(struct search *s, uint32_t events)
{
    const struct order *o = &s->part->order;
    s->decision->legal_events = events;
    save_prefix(s);
    if (s->narrowed)
        return VERDICT_NONE;
    for (uint32_t i = 0; i < o->count; i++)
        if (o->call[i] < events)
            vec_push(&s->decision->core, i);
    return VERDICT_VIOLATED;
}

/* A node in which the history may end; pending operations may still act to get there. */
static size_t find_accepting(struct search *s)
{
    if (!s->spec->accept)
        return 0;
    bool consume = s->level.len == 1 && !s->way->unlimited;
    if (!level_index(&s->level))
        return LEVEL_NONE;
    for (size_t v = 0; v < s->level.len && !is_spent(s); v++) {
        if (is_crowded(s)) {
            s->narrowed = true;
            return LEVEL_NONE;
        }
        if (level_is_dead(&s->level, v))
            continue;
        if (s->spec->accept(s->level.nodes[v].state))
            return v;
        expand(s, v, consume);
    }
    return LEVEL_NONE;
}

static void list_final_states(struct search *s)
{
    for (size_t v = 0; v < s->level.len; v++) {
        bool listed = level_is_dead(&s->level, v);
        for (size_t k = 0; k < s->way->finals->len && !listed; k++)
            listed = s->spec->equal(s->way->finals->data[k], s->level.nodes[v].state);
        if (!listed)
            vec_push(s->way->finals, s->spec->clone(s->level.nodes[v].state));
    }
}

static enum verdict finish(struct search *s)
{
    uint32_t events = s->part->order.event_count;
    if (s->way->finals)
        list_final_states(s);
    size_t node = find_accepting(s);
    if (is_spent(s))
        return give_up(s, events);
    if (node == LEVEL_NONE)
        return reject(s, events);
    log_flush(&s->log, s->level.nodes[node].log, s->decision);
    s->decision->legal_events = events;
    return VERDICT_HOLDS;
}

static enum verdict search_events(struct search *s)
{
    const struct order *o = &s->part->order;
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t op = order_event_op(o->event[e]);
        bool survived = true;
        if (order_event_returns(o->event[e]))
            survived = on_return(s, op);
        else
            on_call(s, op);
        if (budget_exhausted(s->account.budget))
            return give_up(s, e);
        if (!survived)
            return reject(s, e);
        log_collect(&s->log, &s->level, s->decision);
    }
    return finish(s);
}

/* The root node. False: the budget is spent. */
static bool start(struct search *s, const void *initial)
{
    level_init(&s->level, s->spec, &s->account);
    log_init(&s->log, &s->account);
    size_t witness_bytes = (size_t)s->part->order.count * sizeof *s->decision->witness.data;
    if (!slots_init(&s->slots, s->part, &s->account) || !account_charge(&s->account, witness_bytes) ||
        !widen_masks(s))
        return false;
    *s->child_mask = 0;
    void *state = initial ? s->spec->clone(initial) : spec_init(s->spec, s->part->options);
    size_t root = level_add(&s->level, s->child_mask, state);
    if (root == LEVEL_NONE)
        return false;
    s->level.nodes[root].log = LOG_ROOT;
    return true;
}

static void search_free(struct search *s)
{
    level_free(&s->level);
    log_free(&s->log);
    slots_free(&s->slots);
    vec_free(&s->candidates);
    vec_free(&s->absorbed);
    free(s->parent_mask);
    free(s->child_mask);
    account_close(&s->account);
}

enum verdict search_run(const struct part *p, const void *initial, struct budget *budget, struct decision *d,
                        const struct search_way *way)
{
    struct search s = {.part = p, .spec = p->spec, .decision = d, .account = {.budget = budget}, .way = way};
    vec_clear(&d->witness);
    vec_clear(&d->core);
    d->verdict = start(&s, initial) ? search_events(&s) : give_up(&s, 0);
    if (d->verdict != VERDICT_HOLDS && !way->keep_prefix)
        vec_clear(&d->witness);
    search_free(&s);
    return d->verdict;
}

enum verdict search_prefix(const struct part *p, const void *initial, struct budget *budget,
                           struct decision *d)
{
    static const struct search_way way = {.keep_prefix = true};
    return search_run(p, initial, budget, d, &way);
}

bool search_final_states(const struct part *p, const void *initial, struct budget *budget,
                         struct state_list *finals)
{
    struct decision d = {0};
    struct search_way way = {.finals = finals};
    enum verdict verdict = search_run(p, initial, budget, &d, &way);
    decision_free(&d);
    return verdict != VERDICT_INCONCLUSIVE;
}
