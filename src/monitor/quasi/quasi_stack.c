/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks whose removals may be up to K places away. The order of additions that overlap is left open until q removes one
 * of them: q's content is a pile of groups, within which the order is not decided, and everything in a group is above
 * everything in the groups below. Piles are lists of cells that share their lower ends, each list once. */
#include "base/sort.h"
#include "monitor/quasi/quasi_events.h"

/* One item. Within a group they stand by their calls, the latest on top. */
struct cell {
    uint32_t below, value; /* 0: the bottom */
    uint32_t height;       /* with everything below */
    bool starts_group;     /* is the lowest of its group */
    uint64_t sum;          /* of the hashes of all values, in any order */
};

struct piles {
    VEC(struct cell) cells;
    struct hash_map index;
    size_t charged;
};

static const struct cell *cell_at(const struct events *e, uint32_t pile)
{
    return &((const struct piles *)e->own)->cells.data[pile];
}

static const struct quasi_value *value_of(const struct events *e, uint32_t pile)
{
    return &e->q->values[cell_at(e, pile)->value];
}

static uint32_t pile_on(struct events *e, uint32_t below, uint32_t value, bool starts_group)
{
    struct piles *s = e->own;
    uint64_t key = (uint64_t)below << 32 | value << 1 | starts_group;
    uint32_t *number = hash_map_at(&s->index, key);
    if (*number == HASH_NO_NUMBER) {
        const struct cell *b = &s->cells.data[below];
        struct cell fresh = {below, value, b->height + 1, starts_group,
                             b->sum + hash_word(value + UINT64_C(1))};
        *number = (uint32_t)s->cells.len;
        vec_push(&s->cells, fresh);
        s->charged += sizeof fresh + 24;
        budget_charge(e->budget, sizeof fresh + 24);
    }
    return *number;
}

/* --- groups -------------------------------------------------------------------------------------------------------- */

typedef VEC(uint32_t) value_list;

/* Takes the top group off, the topmost first. */
static uint32_t take_group(const struct events *e, uint32_t pile, value_list *group)
{
    bool last = false;
    while (!last) {
        vec_push(group, cell_at(e, pile)->value);
        last = cell_at(e, pile)->starts_group;
        pile = cell_at(e, pile)->below;
    }
    return pile;
}

/* Puts values on, given the topmost first, in as many groups as time distinguishes. */
static uint32_t put_values(struct events *e, uint32_t pile, const value_list *values)
{
    uint32_t latest_return = 0;
    for (size_t k = values->len; k-- > 0;) {
        const struct quasi_value *v = &e->q->values[values->data[k]];
        pile = pile_on(e, pile, values->data[k], latest_return < v->ac);
        latest_return = v->ar > latest_return ? v->ar : latest_return;
    }
    return pile;
}

/* No addition called at `time` or later overlaps what is below the top group. */
static bool is_last_reached(const struct events *e, uint32_t pile, uint32_t time)
{
    while (!cell_at(e, pile)->starts_group)
        pile = cell_at(e, pile)->below;
    return value_of(e, pile)->ac < time;
}

static bool group_overlaps(const struct events *e, uint32_t pile, uint32_t time)
{
    for (;; pile = cell_at(e, pile)->below) {
        if (value_of(e, pile)->ar > time)
            return true;
        if (cell_at(e, pile)->starts_group)
            return false;
    }
}

static uint32_t below_group(const struct events *e, uint32_t pile)
{
    while (!cell_at(e, pile)->starts_group)
        pile = cell_at(e, pile)->below;
    return cell_at(e, pile)->below;
}

/* The lowest pile, not below `closed`, onto which everything goes that an addition called at `time` or later overlaps. */
static uint32_t find_base(const struct events *e, uint32_t pile, uint32_t closed, uint32_t time)
{
    uint32_t base = pile;
    bool last = false;
    while (pile != closed && !last) {
        last = is_last_reached(e, pile, time);
        bool overlaps = group_overlaps(e, pile, time);
        pile = below_group(e, pile);
        if (overlaps)
            base = pile;
    }
    return base;
}

/* Additions that have not acted can only overlap what is above this. */
static void stack_refresh(const struct events *e, struct events_node *n)
{
    uint32_t earliest = e->now;
    for (uint64_t m = e->open_adds & ~n->mask; m; m &= m - 1) {
        uint32_t call = e->q->values[e->value[e->at[__builtin_ctzll(m)]]].ac;
        earliest = call < earliest ? call : earliest;
    }
    n->reached = cell_at(e, find_base(e, n->content, n->closed, earliest))->height;
}

/* --- what the events need --------------------------------------------------------------------------------------------- */

static void stack_add(struct events *e, struct events_node *n, uint32_t value)
{
    const struct quasi_value *v = &e->q->values[value];
    uint32_t base = find_base(e, n->content, n->closed, v->ac), pile = n->content;
    value_list above = {0};
    while (pile != base)
        pile = take_group(e, pile, &above);
    size_t k = above.len;
    vec_push(&above, value);
    for (; k > 0 && above.data[k - 1] < value; k--) /* values are numbered by their calls */
        above.data[k] = above.data[k - 1];
    above.data[k] = value;
    n->content = put_values(e, base, &above);
    vec_free(&above);
    stack_refresh(e, n);
}

static uint32_t stack_tops(const struct events *e, const struct events_node *n, uint32_t *values)
{
    uint32_t count = 0, latest_call;
    if (!n->content)
        return 0;
    latest_call = value_of(e, n->content)->ac;
    for (uint32_t pile = n->content;; pile = cell_at(e, pile)->below) {
        /* the one with the latest call may be last anyway */
        if (value_of(e, pile)->ar > latest_call && count < EVENTS_SLOTS)
            values[count++] = cell_at(e, pile)->value;
        if (cell_at(e, pile)->starts_group)
            return count;
    }
}

static void stack_remove(struct events *e, struct events_node *n, uint32_t value)
{
    OWNED value_list group = {0};
    uint32_t below = take_group(e, n->content, &group);
    size_t kept = 0;
    for (size_t k = 0; k < group.len; k++)
        if (group.data[k] != value)
            group.data[kept++] = group.data[k];
    group.len = kept;
    n->content = put_values(e, below, &group);
    n->closed = n->content;
    n->reached = cell_at(e, n->content)->height;
}

static uint64_t stack_hash(const struct events *e, const struct events_node *n)
{
    return cell_at(e, n->content)->sum;
}

/* Both piles have the same items: is every group of the first one a union of groups of the second? */
static bool is_coarser(const struct events *e, uint32_t a, uint32_t b)
{
    uint64_t open = 0; /* sum of what is in one of the current groups and not in the other */
    while (a != b) {
        const struct cell *x = cell_at(e, a), *y = cell_at(e, b);
        open += hash_word(x->value + UINT64_C(1)) - hash_word(y->value + UINT64_C(1));
        if (x->starts_group && (open || !y->starts_group))
            return false;
        a = x->below;
        b = y->below;
    }
    return !open;
}

/* An order that is still open includes those that are decided. Additions may get in between as well. */
static bool stack_covers(const struct events *e, const struct events_node *a, const struct events_node *b)
{
    const struct cell *x = cell_at(e, a->content), *y = cell_at(e, b->content);
    return x->height == y->height && x->sum == y->sum && cell_at(e, a->closed)->height <= b->reached &&
           is_coarser(e, a->content, b->content);
}

/* Everything in higher groups, and what was added after it returned. */
static uint32_t stack_above(const struct events *e, const struct events_node *n, uint32_t value,
                            uint32_t most)
{
    uint32_t higher = 0, group = 0;
    bool found = false;
    for (uint32_t pile = n->content; pile && higher <= most; pile = cell_at(e, pile)->below) {
        found |= cell_at(e, pile)->value == value;
        group++;
        if (!cell_at(e, pile)->starts_group)
            continue;
        if (found)
            break;
        higher += group;
        group = 0;
    }
    return higher;
}

/* --- the end ------------------------------------------------------------------------------------------------------------ */

/* Additions between two removals (or empty answers): what q removes first was added last. */
static void sort_run(const struct events *e, uint32_t *ops, size_t count, const uint32_t *removed_at)
{
    OWNED uint64_t *keys = NEW_ARRAY(uint64_t, count);
    OWNED uint32_t *sorted = NEW_ARRAY(uint32_t, count), *copy = NEW_ARRAY(uint32_t, count);
    for (size_t k = 0; k < count; k++) {
        uint32_t v = e->value[ops[k]];
        sorted[k] = (uint32_t)k;
        copy[k] = ops[k];
        keys[k] = (uint64_t)(QUASI_NONE - removed_at[v]) << 32 | v;
    }
    sort_by_key(sorted, (uint32_t)count, keys);
    for (size_t k = 0; k < count; k++)
        ops[k] = copy[sorted[k]];
}

static void stack_witness(const struct events *e, const struct trail_step *steps, size_t count,
                          struct quasi_found *found)
{
    OWNED uint32_t *removed_at = NEW_ARRAY(uint32_t, e->q->count);
    memset(removed_at, 0xff, e->q->count * sizeof *removed_at);
    for (size_t k = 0; k < count; k++)
        if (steps[k].pick != QUASI_NONE) {
            removed_at[steps[k].pick] = (uint32_t)found->q.len;
            vec_push(&found->q, steps[k].pick);
        }
    size_t run = 0;
    for (size_t k = 0; k < count; k++) {
        bool adds = steps[k].op != QUASI_NONE && e->kind[steps[k].op] == EVENT_ADD;
        if (steps[k].op == QUASI_NONE)
            vec_push(&found->appended, steps[k].value);
        else
            vec_push(&found->p, steps[k].op);
        run = adds ? run + 1 : 0;
        bool ends = k + 1 == count || steps[k + 1].op == QUASI_NONE || e->kind[steps[k + 1].op] != EVENT_ADD;
        if (run && ends)
            sort_run(e, found->p.data + found->p.len - run, run, removed_at);
    }
}

static const struct events_content stack_content = {
    .add = stack_add,
    .tops = stack_tops,
    .remove = stack_remove,
    .above = stack_above,
    .hash = stack_hash,
    .covers = stack_covers,
    .refresh = stack_refresh,
    .witness = stack_witness,
};

enum verdict quasi_stack_decide(const struct quasi_items *q, unsigned shortcuts, struct budget *budget,
                                struct quasi_found *found)
{
    struct piles s = {0};
    struct events e = {
        .q = q, .content = &stack_content, .own = &s, .budget = budget, .shortcuts = shortcuts};
    struct cell bottom = {0};
    vec_push(&s.cells, bottom);
    enum verdict verdict = events_decide(&e, found);
    vec_free(&s.cells);
    hash_map_free(&s.index);
    budget_refund(budget, s.charged);
    return verdict;
}
