/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/product/product.h"

#include "base/check.h"

#include <string.h>

void product_init(struct product *p, const struct expand_settings *expand, struct explanations *e)
{
    *p = (struct product){.expand = *expand, .explanations = e, .jobs = 1, .started = base_now()};
    store_init(&p->store, expand->system);
}

void product_free(struct product *p)
{
    store_free(&p->store);
    vec_free(&p->nodes);
    vec_free(&p->needless);
    vec_free(&p->first);
    hash_map_free(&p->pairs);
}

const struct expand_gaps *product_gaps(const struct product *p, uint32_t set, struct expand_gaps *gaps)
{
    if (p->expand.machine->names != MACHINE_BY_RANK)
        return NULL;
    unsigned items = explanations_item_count(p->explanations, set);
    gaps->count = items + 1;
    for (unsigned i = 0; i <= items; i++)
        gaps->below[i] = (uint8_t)explanations_items_below(p->explanations, set, i);
    return gaps;
}

/* --- limits ------------------------------------------------------------------------------------------------ */

static size_t footprint(const struct product *p)
{
    return store_footprint(&p->store) + explanations_footprint(p->explanations) +
           p->nodes.cap * sizeof *p->nodes.data + p->needless.cap + p->first.cap * sizeof *p->first.data;
}

static void check_limits(struct product *p, uint64_t frontier)
{
    size_t bytes = footprint(p);
    if (bytes > p->peak_bytes)
        p->peak_bytes = bytes;
    if (p->stop && *p->stop)
        p->limit = "it was interrupted";
    else if (budget_time_is_up(&p->budget))
        p->limit = "the time is up";
    else if (p->budget.bytes_max && bytes > p->budget.bytes_max)
        p->limit = "the memory limit was met";
    else if (p->explanations->limit)
        p->limit = p->explanations->limit;
    else if (p->most_pairs && p->nodes.len > p->most_pairs)
        p->limit = "there are too many pairs";
    else if (p->nodes.len > UINT32_MAX - (1u << 24))
        p->limit = "there are more pairs than numbers for them";
    if (p->progress)
        p->progress(p->progress_context, p->nodes.len, frontier, base_now() - p->started);
}

/* --- one step --------------------------------------------------------------------------------------------------- */

static void report_error(struct product *p, const struct successor *n, uint8_t outcome)
{
    p->found = true;
    p->error = *n;
    p->error.outcome = outcome;
}

/* The step leads to a state with a set of explanations: is the pair new? */
static void add_pair(struct product *p, const struct successor *n, const uint8_t *state, uint32_t set,
                     uint32_t level_end)
{
    bool is_new;
    uint32_t number = store_add(&p->store, state, &is_new);
    if (is_new)
        vec_push(&p->first, PRODUCT_NO_NODE);
    if (!antichain_admits(p, number, set, level_end))
        return;
    struct product_node node = {.state = number,
                                .set = set,
                                .parent = n->node,
                                .step = n->step,
                                .choice = n->choice,
                                .next = p->first.data[number]};
    p->first.data[number] = (uint32_t)p->nodes.len;
    vec_push(&p->nodes, node);
    vec_push(&p->needless, 0);
}

static void absorb_stuck(struct product *p, const struct successor *n, uint32_t set)
{
    bool may_wait = explanations_may_wait(p->explanations, set, n->action.thread);
    if (p->explanations->limit)
        p->limit = p->explanations->limit;
    else if (!may_wait)
        report_error(p, n, n->outcome);
}

static void absorb(struct product *p, const struct successor *n, const uint8_t *state, uint32_t level_end)
{
    uint32_t set = p->nodes.data[n->node].set;
    p->transitions += n->outcome != SUCCESSOR_DEADLOCK && n->outcome != SUCCESSOR_STUCK;
    p->wrong_arguments |= n->outcome == SUCCESSOR_ARGUMENT;
    p->has_reduced |= n->is_alone;
    if (n->outcome == SUCCESSOR_NAMES)
        p->limit = "more items at a time than there are names for";
    else if (n->outcome == SUCCESSOR_LONG)
        p->limit = "an atomic sequence is too long";
    else if (n->outcome == SUCCESSOR_MANY)
        p->limit = "a state with more than 65535 steps";
    else if (n->outcome == SUCCESSOR_NUMBER)
        p->limit = "an answer is below 0 or above 65535";
    else if (n->outcome == SUCCESSOR_STUCK)
        absorb_stuck(p, n, set);
    else if (n->outcome != SUCCESSOR_STATE)
        report_error(p, n, n->outcome);
    if (n->outcome != SUCCESSOR_STATE)
        return;
    if (!n->is_quiet)
        set = explanations_after(p->explanations, set, &n->action);
    if (p->explanations->limit)
        p->limit = p->explanations->limit;
    else if (set == EXPLANATIONS_NONE)
        report_error(p, n, n->outcome);
    else if (set == EXPLANATIONS_BAD_ORDER)
        report_error(p, n, SUCCESSOR_BAD_ORDER);
    else
        add_pair(p, n, state, set, level_end);
    if (n->action.kind == ACTION_RETURN && n->action.answer == REFINE_FULL && p->expand.full_is_free &&
        p->expand.machine->can_be_full[n->action.op])
        p->met_full = true;
}

static bool has_ended(const struct product *p)
{
    return p->found || p->limit;
}

static void absorb_all(struct product *p, const struct expander *x, uint32_t level_end)
{
    size_t size = p->expand.system->state_size;
    for (size_t i = 0; i < x->successors.len && !has_ended(p); i++)
        absorb(p, &x->successors.data[i], x->states.data + i * size, level_end);
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

enum { BATCH = 256 };

/* Copies the states of the next nodes of the level for others to expand. */
static uint32_t fill_batch(struct product *p, struct workers_batch *b, uint32_t from, uint32_t level_end)
{
    size_t size = p->expand.system->state_size;
    b->count = 0;
    for (; from < level_end && b->count < BATCH; from++) {
        if (p->needless.data[from])
            continue;
        store_get(&p->store, p->nodes.data[from].state, b->states + b->count * size);
        b->nodes[b->count] = from;
        if (b->gaps)
            product_gaps(p, p->nodes.data[from].set, &b->gaps[b->count]);
        b->count++;
    }
    return from;
}

/* While one batch is added to the tables, the workers expand the next one. What is added does not depend on how many they
 * are. */
static void run_level(struct product *p, struct workers *workers, uint32_t from, uint32_t level_end)
{
    struct workers_batch *now = workers_batch(workers, 0), *next = workers_batch(workers, 1);
    from = fill_batch(p, now, from, level_end);
    workers_start(workers, now);
    while (now->count) {
        workers_finish(workers);
        if (has_ended(p))
            return;
        from = fill_batch(p, next, from, level_end);
        workers_start(workers, next);
        for (uint32_t i = 0; i < now->slices; i++)
            absorb_all(p, &now->expanders[i], level_end);
        if (!has_ended(p))
            check_limits(p, p->nodes.len - from);
        struct workers_batch *old = now;
        now = next;
        next = old;
    }
    workers_finish(workers);
}

static void add_initial(struct product *p)
{
    size_t size = p->expand.system->state_size;
    OWNED uint8_t *state = NEW_ARRAY(uint8_t, 3 * size + 1);
    struct canon_names names;
    struct successor n = {.node = PRODUCT_NO_NODE};
    p->expand.system->initial(p->expand.system, state);
    canon_apply(p->expand.canon, state, state + size, &names);
    add_pair(p, &n, state, explanations_first(p->explanations), 0);
}

void product_run(struct product *p)
{
    struct workers *workers = workers_new(&p->expand, p->jobs, BATCH);
    add_initial(p);
    for (uint32_t from = 0; from < p->nodes.len && !has_ended(p);) {
        uint32_t level_end = (uint32_t)p->nodes.len;
        run_level(p, workers, from, level_end);
        from = level_end;
    }
    check_limits(p, 0);
    if (p->found)
        p->limit = NULL;
    workers_free(workers);
}

static bool is_known(const struct product *p, uint32_t state, uint32_t set)
{
    for (uint32_t i = p->first.data[state]; i != PRODUCT_NO_NODE; i = p->nodes.data[i].next)
        if (explanations_include(p->explanations, p->nodes.data[i].set, set))
            return true;
    return false;
}

static bool is_new_pair(struct product *p, uint32_t state, uint32_t set)
{
    uint32_t *number = hash_map_at(&p->pairs, (uint64_t)state << 32 | set);
    bool is_new = *number == HASH_NO_NUMBER;
    *number = 0;
    return is_new;
}

bool antichain_admits(struct product *p, uint32_t state, uint32_t set, uint32_t level_end)
{
    if (p->keeps_all)
        return is_new_pair(p, state, set);
    if (is_known(p, state, set))
        return false;
    uint32_t *link = &p->first.data[state];
    while (*link != PRODUCT_NO_NODE) {
        struct product_node *node = &p->nodes.data[*link];
        if (explanations_include(p->explanations, set, node->set)) {
            if (*link >= level_end)
                p->needless.data[*link] = 1;
            *link = node->next;
        } else {
            link = &node->next;
        }
    }
    return true;
}
