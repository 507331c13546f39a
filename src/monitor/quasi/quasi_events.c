/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/quasi/quasi_events.h"

#include "base/sort.h"

#include <string.h>

/* --- keeping nodes -------------------------------------------------------------------------------------------- */

static bool charge(struct events *e, size_t bytes)
{
    e->charged += bytes;
    return budget_charge(e->budget, bytes);
}

static void grow(struct events *e)
{
    struct events_level *l = &e->level;
    size_t cap = l->cap ? 2 * l->cap : 64;
    if (!charge(e, (cap - l->cap) * e->node_bytes))
        return;
    l->bytes = base_realloc(l->bytes, cap * e->node_bytes);
    l->cap = cap;
}

static uint64_t hash_side(const uint32_t *side)
{
    uint64_t h = 0;
    for (uint32_t k = 0; k < side[0]; k++)
        h += hash_word(debts_value(side, k) + UINT64_C(1));
    return h;
}

/* Of everything but ages. */
static uint64_t hash_node(const struct events *e, const struct events_node *n)
{
    uint64_t h = hash_combine(n->mask, e->content->hash(e, n));
    return hash_combine(hash_combine(h, hash_side(events_debts_of_p(n))), hash_side(events_debts_of_q(e, n)));
}

static bool is_same_debts(const struct events *e, const struct events_node *a, const struct events_node *b)
{
    const uint32_t *x = events_debts_of_p(a), *y = events_debts_of_p(b);
    const uint32_t *u = events_debts_of_q(e, a), *v = events_debts_of_q(e, b);
    return x[0] == y[0] && u[0] == v[0] && !memcmp(x, y, (1 + 2 * x[0]) * sizeof *x) &&
           !memcmp(u, v, (1 + 2 * u[0]) * sizeof *u);
}

/* Whatever can follow b can follow a. */
static bool is_as_good(const struct events *e, const struct events_node *a, const struct events_node *b)
{
    if (a->mask != b->mask)
        return false;
    if (!(e->shortcuts & QUASI_COMPARE))
        return a->content == b->content && a->closed == b->closed && is_same_debts(e, a, b);
    return debts_not_older(events_debts_of_p(a), events_debts_of_p(b)) &&
           debts_not_older(events_debts_of_q(e, a), events_debts_of_q(e, b)) && e->content->covers(e, a, b);
}

/* Is a node of the chain as good? Those that are not better die. */
static bool is_needless(struct events *e, uint32_t chain, const struct events_node *fresh)
{
    for (uint32_t k = chain; k != HASH_NO_NUMBER; k = e->chain.data[k]) {
        struct events_node *n = events_node_at(e, k);
        if (n->dead)
            continue;
        if (is_as_good(e, n, fresh))
            return true;
        n->dead = is_as_good(e, fresh, n);
    }
    return false;
}

/* Adds e->made, unless one there is as good. */
static bool keep_node(struct events *e)
{
    struct events_level *l = &e->level;
    uint32_t *first = hash_map_at(&e->index, hash_node(e, e->made)), before = *first;
    if (is_needless(e, before, e->made))
        return false;
    if (l->len == l->cap)
        grow(e);
    if (e->budget->spent)
        return false;
    *first = (uint32_t)l->len;
    vec_push(&e->chain, before);
    memcpy(events_node_at(e, l->len++), e->made, e->node_bytes);
    return true;
}

/* Drops dead nodes, and those in which `slot` has not acted (EVENTS_NO_SLOT: any). */
static void drop_nodes(struct events *e, uint32_t slot)
{
    size_t kept = 0;
    for (size_t k = 0; k < e->level.len; k++) {
        struct events_node *n = events_node_at(e, k);
        if (n->dead || (slot != EVENTS_NO_SLOT && !(n->mask >> slot & 1)))
            continue;
        if (slot != EVENTS_NO_SLOT)
            n->mask &= ~(UINT64_C(1) << slot);
        if (kept < k)
            memcpy(events_node_at(e, kept), n, e->node_bytes);
        kept++;
    }
    e->level.len = kept;
}

static void index_nodes(struct events *e)
{
    hash_map_clear(&e->index);
    vec_clear(&e->chain);
    for (size_t k = 0; k < e->level.len; k++) {
        struct events_node *n = events_node_at(e, k);
        if (e->content->refresh)
            e->content->refresh(e, n);
        uint32_t *first = hash_map_at(&e->index, hash_node(e, n));
        n->dead = is_needless(e, *first, n);
        vec_push(&e->chain, *first);
        *first = (uint32_t)k;
    }
}

static uint32_t trail_add(struct quasi_trail *t, struct trail_step step)
{
    vec_push(&t->steps, step);
    return (uint32_t)(t->steps.len - 1);
}

/* Forgets steps that lead to none of the ends, which are updated. */
static void trail_collect(struct quasi_trail *t, uint32_t *ends, size_t count)
{
    size_t n = t->steps.len, kept = 0;
    OWNED uint32_t *moved = NEW_ZEROED(uint32_t, n);
    for (size_t k = 0; k < count; k++)
        for (uint32_t s = ends[k]; s != TRAIL_START && !moved[s]; s = t->steps.data[s].before)
            moved[s] = 1;
    for (size_t s = 0; s < n; s++) { /* a step comes after the one before it */
        if (!moved[s])
            continue;
        struct trail_step step = t->steps.data[s];
        if (step.before != TRAIL_START)
            step.before = moved[step.before];
        moved[s] = (uint32_t)kept;
        t->steps.data[kept++] = step;
    }
    for (size_t k = 0; k < count; k++)
        if (ends[k] != TRAIL_START)
            ends[k] = moved[ends[k]];
    t->steps.len = kept;
}

enum { COLLECT_LEAST = 1 << 18 };

static void collect_trail(struct events *e)
{
    if (e->trail.steps.len < e->trail.next_collection)
        return;
    OWNED uint32_t *ends = NEW_ARRAY(uint32_t, e->level.len);
    for (size_t k = 0; k < e->level.len; k++)
        ends[k] = events_node_at(e, k)->trail;
    trail_collect(&e->trail, ends, e->level.len);
    for (size_t k = 0; k < e->level.len; k++)
        events_node_at(e, k)->trail = ends[k];
    e->trail.next_collection = 2 * e->trail.steps.len + COLLECT_LEAST;
}

/* --- too late? ------------------------------------------------------------------------------------------------- */

/* Removals that have not acted and returned before `time`; counting stops beyond `most`. */
static uint32_t removals_left_before(const struct events *e, const struct events_node *n, uint32_t time,
                                     uint32_t most)
{
    uint32_t count = 0;
    for (uint64_t m = e->open_removals & ~n->mask; m; m &= m - 1)
        count += e->q->values[e->value[e->at[__builtin_ctzll(m)]]].dr < time;
    for (uint32_t k = e->next_removal; k < e->q->removals && count <= most; k++) {
        const struct quasi_value *v = &e->q->values[e->removals_by_call[k]];
        if (v->dc >= time)
            break;
        count += v->dr < time;
    }
    return count;
}

static bool p_waits_too_long(const struct events *e, const struct events_node *n)
{
    const uint32_t *a = events_debts_of_p(n), factor = e->q->factor;
    for (uint32_t k = 0; k < a[0]; k++) {
        uint32_t value = debts_value(a, k), age = n->removals - debts_since(a, k);
        const struct quasi_value *v = &e->q->values[value];
        if (age > factor)
            return true;
        if (!(e->shortcuts & QUASI_LOOK_AHEAD))
            continue;
        uint32_t earlier = events_acted(e, n, v->add, v->ac) ? e->content->above(e, n, value, factor)
                                                             : removals_left_before(e, n, v->ac, factor);
        if (age + earlier > factor)
            return true;
    }
    return false;
}

static bool q_waits_too_long(const struct events *e, const struct events_node *n)
{
    const uint32_t *b = events_debts_of_q(e, n), factor = e->q->factor;
    uint32_t waiting = 0, left = e->q->removals > n->removals ? e->q->removals - n->removals : 0;
    for (uint32_t k = 0; k < b[0]; k++) {
        const struct quasi_value *v = &e->q->values[debts_value(b, k)];
        uint32_t age = n->removals - debts_since(b, k), earlier = 0;
        if (v->rem == QUASI_NONE && e->q->complete)
            return true;
        if (v->rem == QUASI_NONE)
            earlier = left + waiting++;
        else if (e->shortcuts & QUASI_LOOK_AHEAD)
            earlier = removals_left_before(e, n, v->dc, factor);
        if (age + earlier > factor)
            return true;
    }
    return false;
}

/* --- acting ------------------------------------------------------------------------------------------------------- */

/* Answers "empty" act as soon as q is empty: that has no effect. */
static void absorb_empties(struct events *e, struct events_node *n, bool logged)
{
    uint32_t tops[EVENTS_SLOTS];
    uint64_t waiting = e->open_empties & ~n->mask;
    if (!waiting || e->content->tops(e, n, tops))
        return;
    n->mask |= waiting;
    for (uint64_t m = waiting; m && logged; m &= m - 1) {
        struct trail_step step = {n->trail, e->at[__builtin_ctzll(m)], QUASI_NONE, QUASI_NONE};
        n->trail = trail_add(&e->trail, step);
    }
}

/* The step is taken: e->made has become what it leads to. */
static void offer(struct events *e, struct trail_step step)
{
    bool appended = step.op == QUASI_NONE;
    if (appended) /* the content may want to know */
        e->made->trail = trail_add(&e->trail, step);
    if (p_waits_too_long(e, e->made) || q_waits_too_long(e, e->made))
        return;
    uint64_t mask = e->made->mask;
    absorb_empties(e, e->made, false);
    if (!keep_node(e))
        return;
    struct events_node *n = events_node_at(e, e->level.len - 1);
    n->mask = mask;
    if (!appended)
        n->trail = trail_add(&e->trail, step);
    absorb_empties(e, n, true);
}

/* q removes something, p has removed `value`. `parent` may move when nodes are added. */
static void remove_each(struct events *e, size_t parent, uint32_t slot, uint32_t value, uint32_t op)
{
    uint32_t tops[EVENTS_SLOTS], count = e->content->tops(e, events_node_at(e, parent), tops);
    for (uint32_t k = 0; k < count && !e->budget->spent; k++) {
        struct events_node *n = e->made;
        memcpy(n, events_node_at(e, parent), e->node_bytes);
        uint32_t *a = events_debts_of_p(n), *b = events_debts_of_q(e, n);
        if (slot != EVENTS_NO_SLOT)
            n->mask |= UINT64_C(1) << slot;
        debts_settle(a, b, value, n->removals);
        debts_settle(b, a, tops[k], n->removals);
        n->removals++; /* ages are what they will be when the next one acts */
        e->content->remove(e, n, tops[k]);
        offer(e, (struct trail_step){n->trail, op, value, tops[k]});
    }
}

static void act(struct events *e, size_t parent, uint32_t slot)
{
    uint32_t op = e->at[slot];
    if (e->kind[op] == EVENT_REMOVE) {
        remove_each(e, parent, slot, e->value[op], op);
        return;
    }
    struct events_node *n = e->made;
    memcpy(n, events_node_at(e, parent), e->node_bytes);
    n->mask |= UINT64_C(1) << slot;
    e->content->add(e, n, e->value[op]);
    offer(e, (struct trail_step){n->trail, op, QUASI_NONE, QUASI_NONE});
}

/* Lets open operations act in every order until the one in `target` has. */
static void close_over(struct events *e, uint32_t target)
{
    index_nodes(e);
    for (size_t k = 0; k < e->level.len && !budget_exhausted(e->budget); k++) {
        const struct events_node *n = events_node_at(e, k);
        if (n->dead || (n->mask >> target & 1))
            continue;
        for (uint64_t m = (e->open_adds | e->open_removals) & ~n->mask; m; m &= m - 1)
            act(e, k, (uint32_t)__builtin_ctzll(m));
    }
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* False: too many are open. */
static bool on_call(struct events *e, uint32_t op)
{
    if (e->kind[op] == EVENT_LEFT_OUT)
        return true;
    if (!~e->used)
        return false;
    uint32_t slot = (uint32_t)__builtin_ctzll(~e->used);
    uint64_t bit = UINT64_C(1) << slot;
    e->used |= bit;
    e->at[slot] = op;
    e->slot[op] = (uint8_t)slot;
    if (e->kind[op] == EVENT_ADD) {
        e->open_adds |= bit;
        if (e->content->called)
            e->content->called(e, e->value[op]);
    } else if (e->kind[op] == EVENT_REMOVE) {
        e->open_removals |= bit;
        e->next_removal++;
    } else {
        e->open_empties |= bit;
        for (size_t k = 0; k < e->level.len; k++)
            absorb_empties(e, events_node_at(e, k), true);
    }
    return true;
}

static size_t count_acted(const struct events *e, uint64_t bit)
{
    size_t count = 0;
    for (size_t k = 0; k < e->level.len; k++)
        count += !events_node_at(e, k)->dead && (events_node_at(e, k)->mask & bit);
    return count;
}

/* False: no order survives, or the budget is spent. */
static bool on_return(struct events *e, uint32_t op)
{
    uint32_t slot = e->slot[op];
    uint64_t bit = UINT64_C(1) << slot;
    if (count_acted(e, bit) < e->level.len)
        close_over(e, slot);
    if (e->budget->spent || !count_acted(e, bit))
        return false;
    drop_nodes(e, slot);
    e->slot[op] = EVENTS_NO_SLOT;
    e->used &= ~bit;
    e->open_adds &= ~bit;
    e->open_removals &= ~bit;
    e->open_empties &= ~bit;
    if (e->kind[op] == EVENT_REMOVE && e->content->returned)
        e->content->returned(e, e->value[op]);
    collect_trail(e);
    return true;
}

/* --- the end --------------------------------------------------------------------------------------------------------- */

static void write_story(const struct events *e, uint32_t last, struct quasi_found *found)
{
    size_t count = 0;
    for (uint32_t s = last; s != TRAIL_START; s = e->trail.steps.data[s].before)
        count++;
    OWNED struct trail_step *steps = NEW_ARRAY(struct trail_step, count);
    for (uint32_t s = last; s != TRAIL_START; s = e->trail.steps.data[s].before)
        steps[--count] = e->trail.steps.data[s];
    for (uint32_t s = last; s != TRAIL_START; s = e->trail.steps.data[s].before)
        count++;
    e->content->witness(e, steps, count, found);
}

/* Appends removals, the oldest debt of q first, until p owes nothing. */
static enum verdict finish(struct events *e, struct quasi_found *found)
{
    e->finishing = true;
    index_nodes(e);
    for (size_t k = 0; k < e->level.len && !budget_exhausted(e->budget); k++) {
        const struct events_node *n = events_node_at(e, k);
        if (!n->dead && !events_debts_of_p(n)[0]) {
            write_story(e, n->trail, found);
            return VERDICT_HOLDS;
        }
        if (!n->dead && !e->q->complete)
            remove_each(e, k, EVENTS_NO_SLOT, debts_value(events_debts_of_q(e, n), 0), QUASI_NONE);
    }
    if (e->budget->spent)
        return VERDICT_INCONCLUSIVE;
    const struct events_node *n = events_node_at(e, 0);
    found->reason = QUASI_STUCK;
    found->op = e->q->values[debts_value(events_debts_of_p(n), 0)].rem;
    return VERDICT_VIOLATED;
}

/* What is pending has acted by the end, or p and q could do without. */
static void act_pending(struct events *e)
{
    for (uint64_t m = e->open_adds; m; m &= m - 1) {
        close_over(e, (uint32_t)__builtin_ctzll(m));
        drop_nodes(e, EVENTS_NO_SLOT);
    }
}

static enum verdict run(struct events *e, struct quasi_found *found)
{
    const struct order *o = &e->q->part->order;
    found->total = o->event_count;
    for (uint32_t i = 0; i < o->event_count; i++) {
        uint32_t op = order_event_op(o->event[i]);
        e->now = i + 1;
        found->progress = i;
        if (!order_event_returns(o->event[i])) {
            if (!on_call(e, op))
                return VERDICT_NONE;
        } else if (!on_return(e, op)) {
            found->reason = QUASI_STUCK;
            found->op = op;
            return e->budget->spent ? VERDICT_INCONCLUSIVE : VERDICT_VIOLATED;
        }
        if (budget_exhausted(e->budget))
            return VERDICT_INCONCLUSIVE;
    }
    act_pending(e);
    return finish(e, found);
}

/* --- making and freeing ------------------------------------------------------------------------------------------------ */

static void describe_operations(struct events *e)
{
    const struct quasi_items *q = e->q;
    uint32_t ops = q->part->order.count, n = 0;
    OWNED uint64_t *calls = NEW_ARRAY(uint64_t, q->count);
    e->kind = NEW_ARRAY(uint8_t, ops);
    e->slot = NEW_ARRAY(uint8_t, ops);
    e->value = NEW_ARRAY(uint32_t, ops);
    e->removals_by_call = NEW_ARRAY(uint32_t, q->removals);
    memset(e->kind, EVENT_LEFT_OUT, ops);
    memset(e->slot, EVENTS_NO_SLOT, ops);
    for (uint32_t v = 0; v < q->count; v++) {
        calls[v] = q->values[v].dc;
        e->kind[q->values[v].add] = EVENT_ADD;
        e->value[q->values[v].add] = v;
        if (q->values[v].rem == QUASI_NONE)
            continue;
        e->kind[q->values[v].rem] = EVENT_REMOVE;
        e->value[q->values[v].rem] = v;
        e->removals_by_call[n++] = v;
    }
    for (size_t k = 0; k < q->empties.len; k++)
        e->kind[q->empties.data[k].op] = EVENT_EMPTY;
    sort_by_key(e->removals_by_call, n, calls);
}

static void start(struct events *e)
{
    size_t bytes = sizeof(struct events_node) + 2 * debts_words(e->q->factor) * sizeof(uint32_t);
    e->node_bytes = (bytes + 7) & ~(size_t)7;
    e->made = base_alloc_zero(1, e->node_bytes);
    e->made->trail = TRAIL_START;
    e->trail.next_collection = COLLECT_LEAST;
    describe_operations(e);
    keep_node(e);
}

enum verdict events_decide(struct events *e, struct quasi_found *found)
{
    start(e);
    enum verdict verdict = e->level.len ? run(e, found) : VERDICT_INCONCLUSIVE;
    free(e->level.bytes);
    free(e->made);
    free(e->kind);
    free(e->slot);
    free(e->value);
    free(e->removals_by_call);
    hash_map_free(&e->index);
    vec_free(&e->chain);
    vec_free(&e->trail.steps);
    budget_refund(e->budget, e->charged);
    return verdict;
}
