/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/simpler.h"

#include "base/hash.h"
#include "monitor/search/search.h"
#include "spec/registry.h"

/* ---- what is left out ---- */

/* The specifications on the way from that of a part to the plain one; null: it makes no difference. */
struct layers {
    const struct plumb_spec *extended, *weak, *bounded, *plain;
    uint64_t capacity;
};

/* False: the plain one begins elsewhere, or there are no layers. */
static bool find_layers(const struct plumb_spec *spec, struct layers *l)
{
    const struct plumb_spec *base;
    *l = (struct layers){0};
    if ((base = spec_basic(spec))) {
        l->extended = spec;
        spec = base;
    }
    if ((base = spec_base_of_weak(spec))) {
        l->weak = spec;
        spec = base;
    }
    if ((base = spec_base_of_bounded(spec, &l->capacity))) {
        l->bounded = spec;
        spec = base;
    }
    l->plain = spec;
    return (l->extended || l->weak || l->bounded) && !spec->init_of;
}

enum fate { KEPT, ANYWHERE, SOMEWHERE, UNCLEAR };

/* Of an operation on everything inside. */
static enum fate fate_of_whole(const struct part *p, uint32_t i)
{
    struct plumb_call call = part_call(p, i);
    return spec_effect_free(p->spec, &call) ? SOMEWHERE : UNCLEAR;
}

/* An answer that is not known may be a failure. What did not return and failed need not have happened. */
static enum fate fate_of(const struct part *p, const struct layers *l, uint32_t i)
{
    const struct history_op *op = part_op(p, i);
    if (op->op >= l->plain->operation_count)
        return fate_of_whole(p, i);
    plumb_value failure = l->weak ? spec_weak_failure(l->weak, op->op) : PLUMB_OK;
    bool may_be_full = l->bounded && part_role(p, i) == PLUMB_ADDS;
    if (p->order.ret[i] == ORDER_NEVER || (failure == PLUMB_OK && !may_be_full))
        return KEPT;
    if (op->result == PLUMB_ANY)
        return UNCLEAR;
    if (failure != PLUMB_OK && op->result == failure)
        return ANYWHERE;
    return may_be_full && op->result == PLUMB_FALSE ? SOMEWHERE : KEPT;
}

static bool leave_out(const struct part *p, const struct layers *l, struct simpler *s, uint32_t *count)
{
    const struct order *o = &p->order;
    OWNED uint8_t *kept = NEW_ZEROED(uint8_t, o->count);
    uint64_t additions = 0;
    for (uint32_t e = 0; e < o->event_count; e++) {
        uint32_t i = order_event_op(o->event[e]);
        if (order_event_returns(o->event[e]))
            continue;
        enum fate fate = fate_of(p, l, i);
        if (fate == UNCLEAR)
            return false;
        if (fate == ANYWHERE)
            vec_push(&s->anywhere, ((struct extra){.op = i, .unless = TOOLS_NONE}));
        s->is_exact &= fate != SOMEWHERE;
        kept[i] = fate == KEPT;
        additions += kept[i] && part_role(p, i) == PLUMB_ADDS;
    }
    for (uint32_t i = 0; i < o->count; i++)
        if (kept[i])
            s->kept[(*count)++] = i;
    s->is_exact &= !l->bounded || additions <= l->capacity;
    return *count > 0;
}

/* Deques have no algorithm of their own: a search through more states than the part itself has is of no use. */
static bool is_worth_it(const struct simpler *s, const struct plumb_spec *plain)
{
    return s->is_exact || plain->kind != PLUMB_KIND_DEQUE;
}

bool simpler_make(const struct part *p, struct simpler *s)
{
    struct layers l;
    uint32_t count = 0;
    *s = (struct simpler){.is_exact = true};
    if (p->order.after || !find_layers(p->spec, &l))
        return false;
    s->kept = NEW_ARRAY(uint32_t, p->order.count);
    if (leave_out(p, &l, s, &count) && is_worth_it(s, l.plain)) {
        s->part = part_restrict(p, s->kept, count);
        s->part.spec = l.plain;
        return true;
    }
    simpler_free(s);
    return false;
}

void simpler_free(struct simpler *s)
{
    part_free(&s->part);
    vec_free(&s->anywhere);
    free(s->kept);
}

/* ---- the way back ---- */

enum {
    SHARE_FREE = 1 << 16, /* steps of a search, and more for each operation: */
    SHARE_FIRST = 16,
    SHARE_GROWS = 8,
    SHARE_LAST = 1024,
    GUIDED_SHARES = 4,
    GUIDED_NODES = 1024, /* of a level */
    GUIDED_WIDTH = 16,   /* events */
    GUIDED_WIDTH_MOST = 256,
};

/* The additions follow each other as they do in d->witness. */
static uint32_t *chain_additions(const struct part *p, const struct decision *d)
{
    uint32_t *after = NEW_ARRAY(uint32_t, p->order.count), last = ORDER_NO_OP;
    for (uint32_t i = 0; i < p->order.count; i++)
        after[i] = ORDER_NO_OP;
    for (size_t k = 0; k < d->witness.len; k++)
        if (part_role(p, d->witness.data[k]) == PLUMB_ADDS) {
            after[d->witness.data[k]] = last;
            last = d->witness.data[k];
        }
    return after;
}

/* A part whose additions act in a certain order. */
struct guided {
    struct part part;            /* `after` says which */
    struct hash_map addition_of; /* value -> one that adds it */
    uint32_t stuck_at, width;    /* of loosen_more */
};

static struct guided guide(const struct part *p, const struct decision *d)
{
    struct guided g = {.part = *p, .stuck_at = UINT32_MAX};
    g.part.order.after = chain_additions(p, d);
    for (uint32_t i = 0; i < p->order.count; i++)
        if (part_role(p, i) == PLUMB_ADDS)
            *hash_map_at(&g.addition_of, part_op(p, i)->arg) = i;
    return g;
}

/* The addition that an operation is about, or itself. */
static uint32_t addition_behind(const struct guided *g, uint32_t i)
{
    if (part_role(&g->part, i) == PLUMB_ADDS)
        return i;
    uint32_t addition = hash_map_get(&g->addition_of, part_op(&g->part, i)->result);
    return addition != HASH_NO_NUMBER ? addition : i;
}

/* No order survives event `e`: what the operations are about that were open at the same time as the one that returns there, or up to
 * `width` events before its call, may be added in any order from now on. False: it may already. */
static bool loosen(struct guided *g, uint32_t e, uint32_t width)
{
    const struct order *o = &g->part.order;
    uint32_t from = e < o->event_count ? o->call[order_event_op(o->event[e])] : e;
    bool changed = false;
    from -= width < from ? width : from;
    for (uint32_t i = 0; i < o->count; i++)
        if (o->call[i] < e && o->ret[i] > from) {
            uint32_t *after = &o->after[addition_behind(g, i)];
            changed |= *after != ORDER_NO_OP;
            *after = ORDER_NO_OP;
        }
    return changed;
}

/* Goes further back each time the search ends at the same event as before. */
static bool loosen_more(struct guided *g, uint32_t e)
{
    g->width = e != g->stuck_at ? 0 : g->width ? 2 * g->width : GUIDED_WIDTH;
    g->stuck_at = e;
    while (g->width <= GUIDED_WIDTH_MOST && !loosen(g, e, g->width))
        g->width = g->width ? 2 * g->width : GUIDED_WIDTH;
    return g->width <= GUIDED_WIDTH_MOST;
}

/* `share`: steps for each operation. What it did not come to an end with can be gone on with. */
static enum verdict search_with_share(const struct part *p, struct budget *budget, uint64_t share,
                                      size_t beam, struct decision *d)
{
    struct search_way way = {.beam = beam};
    budget->ticks = 0;
    budget->ticks_max = SHARE_FREE + share * p->order.count;
    enum verdict verdict = search_run(p, NULL, budget, d, &way);
    vec_clear(&d->core);
    return verdict;
}

/* Every event that it comes to is a step, too. */
static bool search_guided(struct guided *g, struct budget *budget, uint64_t share, struct decision *d)
{
    uint64_t spent = 0, limit = SHARE_FREE + share * g->part.order.count;
    enum verdict verdict = VERDICT_NONE;
    do {
        verdict = search_with_share(&g->part, budget, share, GUIDED_NODES, d);
        spent += budget->ticks + d->legal_events;
    } while (verdict != VERDICT_HOLDS && !budget->spent && spent < limit && loosen_more(g, d->legal_events));
    return verdict == VERDICT_HOLDS;
}

static bool is_out_of_time(const struct budget *b)
{
    return b->spent == BUDGET_TIME || b->spent == BUDGET_INTERRUPTED;
}

/* The capacity may keep the states few; or an order of additions that works is chosen before. Turn by turn, with growing shares. */
static bool search_in_turns(const struct part *p, struct budget *budget, struct decision *d)
{
    struct budget own = *budget;
    struct guided g = guide(p, d);
    enum verdict verdict = VERDICT_NONE;
    for (uint64_t share = SHARE_FIRST; share <= SHARE_LAST && verdict == VERDICT_NONE; share *= SHARE_GROWS) {
        own.spent = BUDGET_LEFT;
        verdict = search_with_share(p, &own, share, 0, d);
        if (verdict == VERDICT_INCONCLUSIVE && !is_out_of_time(&own)) {
            own.spent = BUDGET_LEFT;
            verdict = search_guided(&g, &own, GUIDED_SHARES * share, d) ? VERDICT_HOLDS : VERDICT_NONE;
        }
        if (is_out_of_time(&own))
            budget->spent = own.spent;
    }
    free(g.part.order.after);
    hash_map_free(&g.addition_of);
    return verdict == VERDICT_HOLDS;
}

static bool has_order_of_additions(const struct plumb_spec *plain)
{
    return plain->kind == PLUMB_KIND_QUEUE || plain->kind == PLUMB_KIND_STACK;
}

bool simpler_extend(const struct part *p, const struct simpler *s, struct budget *budget, struct decision *d)
{
    for (size_t k = 0; k < d->witness.len; k++)
        d->witness.data[k] = s->kept[d->witness.data[k]];
    if (s->is_exact)
        return witness_insert(p, d, s->anywhere.data, s->anywhere.len, NULL);
    if (has_order_of_additions(s->part.spec) && search_in_turns(p, budget, d))
        return true;
    vec_clear(&d->witness);
    return false;
}
