/* SPDX-License-Identifier: Apache-2.0 */
/* Queues whose removals (or additions) may be up to K places away: a dynamic programme over places. s is the order of
 * the additions in p, t that of the removals; q removes at its place i what s has there. State i knows which i additions
 * and which i removals those are, and the age of what only one of the two orders has had.
 * docs/internals/monitor/quasi_histories.md has the conditions and why the shortcuts lose nothing. */
#include "monitor/quasi/quasi_queue.h"

#include "base/hash.h"
#include "base/vec.h"

#include <string.h>

/* One state of the current place. The debts of p, then those of q follow. */
struct state {
    struct quasi_prefix s, t;
    uint32_t reach; /* empty answers called before this moment have found their place */
    uint32_t link;  /* of the state it came from */
    uint32_t v, w;  /* values that were taken to get here */
    bool dead;
    uint32_t debts[];
};

struct level {
    char *bytes;
    size_t len, cap; /* states */
};

struct programme {
    const struct quasi_items *q;
    struct queue_orders o;
    unsigned shortcuts;
    struct budget *budget;
    size_t charged;
    size_t state_bytes;
    struct level now, next;
    struct hash_map index; /* of (s, t): the latest such state of `next` */
    VEC(uint32_t) chain;   /* the one before it */
    VEC(struct queue_link) links;
    uint32_t place;     /* i */
    struct state *made; /* scratch */
};

static struct state *state_at(const struct programme *g, const struct level *l, size_t k)
{
    return (struct state *)(l->bytes + k * g->state_bytes);
}

static uint32_t *debts_of_p(const struct state *x)
{
    return (uint32_t *)x->debts;
}

static uint32_t *debts_of_q(const struct programme *g, const struct state *x)
{
    return (uint32_t *)x->debts + debts_words(g->q->factor);
}

/* --- keeping states ------------------------------------------------------------------------------------------- */

static bool charge(struct programme *g, size_t bytes)
{
    g->charged += bytes;
    return budget_charge(g->budget, bytes);
}

static bool is_same_set(const struct state *a, const struct state *b)
{
    return a->s.length == b->s.length && a->s.missing == b->s.missing && a->t.length == b->t.length &&
           a->t.missing == b->t.missing;
}

/* Whatever can follow b can follow a. */
static bool is_as_good(const struct programme *g, const struct state *a, const struct state *b)
{
    if (!(g->shortcuts & QUASI_COMPARE))
        return a->reach == b->reach &&
               !memcmp(a->debts, b->debts, 2 * debts_words(g->q->factor) * sizeof(uint32_t));
    return a->reach >= b->reach && debts_not_older(debts_of_p(a), debts_of_p(b)) &&
           debts_not_older(debts_of_q(g, a), debts_of_q(g, b));
}

static uint64_t hash_sets(const struct state *x)
{
    uint64_t h = hash_combine(x->s.missing, (uint64_t)x->s.length << 32 | x->t.length);
    return hash_combine(h, x->t.missing);
}

static void grow(struct programme *g)
{
    struct level *l = &g->next;
    size_t cap = l->cap ? 2 * l->cap : 64;
    if (!charge(g, (cap - l->cap) * g->state_bytes))
        return;
    l->bytes = base_realloc(l->bytes, cap * g->state_bytes);
    l->cap = cap;
}

/* Adds g->made to the next level, unless one there is as good. */
static void keep_state(struct programme *g)
{
    struct level *l = &g->next;
    uint32_t *first = hash_map_at(&g->index, hash_sets(g->made)), before = *first;
    for (uint32_t k = before; k != HASH_NO_NUMBER; k = g->chain.data[k]) {
        struct state *x = state_at(g, l, k);
        if (x->dead || !is_same_set(x, g->made))
            continue;
        if (is_as_good(g, x, g->made))
            return;
        x->dead = is_as_good(g, g->made, x);
    }
    if (l->len == l->cap)
        grow(g);
    if (g->budget->spent)
        return;
    *first = (uint32_t)l->len;
    vec_push(&g->chain, before);
    memcpy(state_at(g, l, l->len++), g->made, g->state_bytes);
}

/* --- one step -------------------------------------------------------------------------------------------------- */

/* Even at the first place that time allows, would one come too late? */
static bool is_hopeless(const struct programme *g, const struct state *x)
{
    const uint32_t *a = debts_of_p(x), *b = debts_of_q(g, x), factor = g->q->factor;
    uint32_t looks = (g->shortcuts & QUASI_LOOK_AHEAD) != 0, next = g->place + 1, waiting = 0,
             removals_left = g->q->removals > next ? g->q->removals - next : 0;
    for (uint32_t k = 0; k < a[0]; k++) {
        const struct quasi_value *v = &g->q->values[debts_value(a, k)];
        uint32_t age = next - debts_since(a, k);
        if (age > factor ||
            age + (looks * quasi_prefix_left_before(&g->o.adds, x->s, v->ac, factor)) > factor)
            return true;
    }
    for (uint32_t k = 0; k < b[0]; k++) {
        const struct quasi_value *v = &g->q->values[debts_value(b, k)];
        uint32_t age = next - debts_since(b, k), earlier = removals_left + waiting;
        if (v->rem != QUASI_NONE)
            earlier = looks * quasi_prefix_left_before(&g->o.removals, x->t, v->dc, factor);
        else
            waiting++;
        if (age + earlier > factor)
            return true;
    }
    return false;
}

/* False: an answer "empty" has no place. */
static bool place_empties(const struct programme *g, struct state *x)
{
    const struct queue_orders *o = &g->o;
    if (!g->q->empties.len || g->place + 1 > g->q->removals)
        return true;
    struct queue_gap gap = queue_gap_at(o, x->s, x->t);
    if (!queue_empties_alive(g->q, o, x->reach, gap.low))
        return false;
    if (gap.low < gap.high)
        x->reach = gap.high;
    return true;
}

static void take(struct programme *g, const struct state *from, uint32_t v_place, uint32_t w_place)
{
    struct state *x = g->made;
    uint32_t *a = debts_of_p(x), *b = debts_of_q(g, x);
    memcpy(x, from, g->state_bytes);
    x->v = g->o.adds.value[v_place];
    x->s = quasi_prefix_take(&g->o.adds, x->s, v_place);
    debts_settle(b, a, x->v, g->place);
    if (w_place == QUASI_NONE) { /* after everything: the oldest that was not removed */
        if (!b[0])
            return;
        x->w = debts_value(b, 0);
        debts_pay(b, 0);
    } else {
        x->w = g->o.removals.value[w_place];
        x->t = quasi_prefix_take(&g->o.removals, x->t, w_place);
        debts_settle(a, b, x->w, g->place);
    }
    if (!is_hopeless(g, x) && place_empties(g, x))
        keep_state(g);
}

/* --- which steps ------------------------------------------------------------------------------------------------- */

struct choice {
    uint32_t places[QUASI_SLOTS], count;
};

/* x and y, of one order, can both be next: is there an equally good continuation with x before y? `debts`: what the
 * other order had first. Of equal merit is x, too, if its interval in the other order is not later. */
static bool goes_first(const struct quasi_order *o, const uint32_t *debts, uint32_t x, uint32_t y,
                       uint32_t latest, bool calls_matter, bool other_not_later)
{
    uint32_t y_or_latest = o->call[y] > latest ? o->call[y] : latest;
    if (o->ret[x] >= o->ret[y] || (calls_matter && o->call[x] > y_or_latest))
        return false;
    uint32_t kx = debts_find(debts, o->value[x]), ky = debts_find(debts, o->value[y]);
    if (kx != QUASI_NONE)
        return kx < ky; /* the older one comes first in the list */
    return ky == QUASI_NONE && other_not_later;
}

static bool add_is_better(const struct programme *g, const struct state *from, uint32_t x, uint32_t y)
{
    const struct quasi_value *vx = &g->q->values[g->o.adds.value[x]], *vy = &g->q->values[g->o.adds.value[y]];
    return goes_first(&g->o.adds, debts_of_p(from), x, y, quasi_prefix_latest_call(&g->o.adds, from->s), true,
                      vx->dc <= vy->dc && vx->dr <= vy->dr);
}

static bool removal_is_better(const struct programme *g, const struct state *from, uint32_t x, uint32_t y)
{
    const struct quasi_order *o = &g->o.removals;
    const struct quasi_value *vx = &g->q->values[o->value[x]], *vy = &g->q->values[o->value[y]];
    return goes_first(o, debts_of_q(g, from), x, y, quasi_prefix_latest_call(o, from->t),
                      g->q->empties.len > 0, vx->ac <= vy->ac && vx->ar <= vy->ar);
}

static bool is_in_window(const struct programme *g, uint32_t value, bool removal)
{
    const struct quasi_window *w = &g->o.windows[value];
    return removal ? w->tlo <= g->place && g->place <= w->thi : w->slo <= g->place && g->place <= w->shi;
}

typedef bool is_better(const struct programme *g, const struct state *from, uint32_t x, uint32_t y);

/* What can be taken next, without what something else is better than. */
static void list_choices(const struct programme *g, const struct state *from, bool removal, struct choice *c)
{
    const struct quasi_order *o = removal ? &g->o.removals : &g->o.adds;
    is_better *better = removal ? removal_is_better : add_is_better;
    uint32_t places[QUASI_SLOTS], count = quasi_prefix_next(o, removal ? from->t : from->s, places);
    c->count = 0;
    for (uint32_t k = 0; k < count; k++) {
        bool skip = !is_in_window(g, o->value[places[k]], removal);
        for (uint32_t j = 0; (g->shortcuts & QUASI_COMPARE) && j < count && !skip; j++)
            skip = j != k && better(g, from, places[j], places[k]);
        if (!skip)
            c->places[c->count++] = places[k];
    }
}

static void expand(struct programme *g, const struct state *from)
{
    struct choice adds, removals;
    list_choices(g, from, false, &adds);
    if (g->place >= g->q->removals) {
        if (!queue_empties_done(g->q, from->reach))
            return;
        for (uint32_t k = 0; k < adds.count; k++)
            take(g, from, adds.places[k], QUASI_NONE);
        return;
    }
    list_choices(g, from, true, &removals);
    uint32_t latest = quasi_prefix_latest_call(&g->o.adds, from->s);
    uint32_t deadline = quasi_prefix_least_return(&g->o.removals, from->t);
    for (uint32_t k = 0; k < adds.count; k++) {
        uint32_t call = g->o.adds.call[adds.places[k]];
        if (latest >= deadline || call >= deadline) /* nothing leaves before it is there */
            continue;
        for (uint32_t j = 0; j < removals.count; j++)
            take(g, from, adds.places[k], removals.places[j]);
    }
}

/* --- all places -------------------------------------------------------------------------------------------------- */

/* May p end after this place? */
static bool is_final(const struct programme *g, const struct state *x)
{
    return g->place >= g->q->removals && !debts_of_p(x)[0] && queue_empties_done(g->q, x->reach);
}

/* A final state of the current level, or null. */
static const struct state *find_final(const struct programme *g)
{
    for (size_t k = 0; k < g->now.len; k++)
        if (is_final(g, state_at(g, &g->now, k)))
            return state_at(g, &g->now, k);
    return NULL;
}

/* The next level becomes the current one; its states get links. */
static void advance(struct programme *g)
{
    struct level old = g->now;
    size_t kept = 0;
    for (size_t k = 0; k < g->next.len; k++) {
        struct state *x = state_at(g, &g->next, k);
        if (x->dead)
            continue;
        struct queue_link link = {x->link, x->v, x->w};
        x->link = (uint32_t)g->links.len;
        vec_push(&g->links, link);
        if (kept < k)
            memcpy(state_at(g, &g->next, kept), x, g->state_bytes);
        kept++;
    }
    charge(g, kept * sizeof *g->links.data);
    g->next.len = kept;
    g->now = g->next;
    g->next = (struct level){old.bytes, 0, old.cap};
    hash_map_clear(&g->index);
    vec_clear(&g->chain);
    g->place++;
}

static void start(struct programme *g)
{
    struct state *x = g->made;
    memset(x, 0, g->state_bytes);
    x->link = QUASI_NONE;
    struct queue_gap gap = queue_gap_at(&g->o, x->s, x->t);
    x->reach = gap.high;
    keep_state(g);
    g->links.len = 0;
    advance(g);
    g->place = 0;
}

static bool may_go_on(const struct programme *g)
{
    bool virtual_removals = !g->q->complete || g->q->additions_move;
    return g->place < g->q->removals || (virtual_removals && g->place < g->q->count);
}

/* Who cannot be placed: the first to return of those that are left. */
static uint32_t blame(const struct programme *g, const struct state *x)
{
    const struct quasi_order *o =
        x->t.missing || x->t.length < g->o.removals.count ? &g->o.removals : &g->o.adds;
    struct quasi_prefix taken = o == &g->o.removals ? x->t : x->s;
    uint32_t places[QUASI_SLOTS], count = quasi_prefix_next(o, taken, places), first = places[0];
    if (!count)
        return g->q->empties.len ? g->q->empties.data[0].op : g->q->values[0].add;
    for (uint32_t k = 1; k < count; k++)
        if (o->ret[places[k]] < o->ret[first])
            first = places[k];
    const struct quasi_value *v = &g->q->values[o->value[first]];
    return o == &g->o.removals ? v->rem : v->add;
}

static enum verdict run(struct programme *g, struct quasi_found *found)
{
    const struct state *final;
    start(g);
    while (!(final = find_final(g))) {
        found->progress = g->place;
        found->total = g->q->removals;
        if (!may_go_on(g)) {
            found->reason = QUASI_STUCK;
            found->op = blame(g, state_at(g, &g->now, 0));
            return VERDICT_VIOLATED;
        }
        for (size_t k = 0; k < g->now.len && !budget_exhausted(g->budget); k++)
            expand(g, state_at(g, &g->now, k));
        if (g->budget->spent)
            return VERDICT_INCONCLUSIVE;
        if (!g->next.len) {
            found->reason = QUASI_STUCK;
            found->op = blame(g, state_at(g, &g->now, 0));
            return VERDICT_VIOLATED;
        }
        advance(g);
    }
    queue_witness(g->q, &g->o, g->links.data, final->link, g->place, found);
    return VERDICT_HOLDS;
}

enum verdict quasi_queue_decide(const struct quasi_items *q, unsigned shortcuts, struct budget *budget,
                                struct quasi_found *found)
{
    struct programme g = {.q = q, .budget = budget, .shortcuts = shortcuts};
    enum verdict verdict = queue_orders_make(&g.o, q, found);
    if (verdict == VERDICT_HOLDS) {
        g.state_bytes = sizeof(struct state) + 2 * debts_words(q->factor) * sizeof(uint32_t);
        g.state_bytes = (g.state_bytes + 7) & ~(size_t)7;
        g.made = base_alloc(g.state_bytes);
        verdict = run(&g, found);
        free(g.made);
    }
    free(g.now.bytes);
    free(g.next.bytes);
    hash_map_free(&g.index);
    vec_free(&g.chain);
    vec_free(&g.links);
    queue_orders_free(&g.o);
    budget_refund(budget, g.charged);
    return verdict;
}
