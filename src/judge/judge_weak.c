/* SPDX-License-Identifier: Apache-2.0 */
/* All clients at once in weak memory, where calls and returns have no common order in time. A legal order found is
 * refuted by a client only if what matters in it and the client's orders make a cycle. So as long as orders that are
 * still possible make cycles with it, one of them is chosen: clients that have it are looked at first,
 * then it is excluded. */
#include "judge/judge_state.h"

#include <string.h>

struct weak_search {
    struct judge *judge;
    struct judge_outcome *outcome;
    uint32_t waits;
    uint32_t violating; /* depth */
};

/* What matters and what is possible at one node, as edges between operations. */
struct weak_picture {
    uint64_t possible[JUDGE_OPS_MAX]; /* row a: "a -> b" can be added */
    uint64_t surely[JUDGE_OPS_MAX];   /* row x: returns that no client puts before the call of x */
    uint64_t matters[JUDGE_OPS_MAX];  /* row x: those that must stay after x in the order found */
};

/* --- which orders are possible ---------------------------------------------------------------------------- */

static uint64_t callers_of(const struct judge_relation *r, uint32_t count, uint32_t a)
{
    uint64_t callers = 0;
    for (uint32_t x = 0; x < count; x++)
        if (r->to_return[x] >> a & 1)
            callers |= judge_bit(x);
    return callers;
}

/* "a -> b" puts every return before a's, and a's, before every call after b's, and b's: is one of these pairs hindered? */
static bool is_hindered(const struct judge *j, const struct judge_level *l, uint32_t a, uint32_t b)
{
    const struct judge_part *p = &j->part;
    const struct judge_relation *r = &l->relation;
    uint64_t callers = callers_of(r, p->count, a), returns = judge_bit(a), calls = judge_bit(b);
    for (uint32_t c = 0; c < p->count; c++)
        if (r->to_call[c] & callers)
            returns |= judge_bit(c);
    JUDGE_EACH(d, r->to_return[b])
        calls |= r->to_call[d];
    JUDGE_EACH(y, calls)
        if ((p->hinder[y] | judge_bit((uint32_t)y)) & returns)
            return true;
    return l->causes.to_return[b] >> a & 1;
}

/* The picture is empty. */
static void see_possible(const struct judge *j, const struct judge_level *l, struct weak_picture *v)
{
    const struct judge_part *p = &j->part;
    for (uint32_t a = 0; a < p->count; a++) {
        if (!(p->completed >> a & 1))
            continue;
        for (uint32_t b = 0; b < p->count; b++) {
            if (l->relation.to_call[a] >> b & 1)
                continue;
            if (a == b || l->excluded[a] >> b & 1 || is_hindered(j, l, a, b))
                v->surely[b] |= judge_bit(a);
            else
                v->possible[a] |= judge_bit(b);
        }
    }
}

/* --- cycles ------------------------------------------------------------------------------------------------ */

static void close_rows(uint64_t *rows, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t i = 0; i < count; i++)
            if (rows[i] >> k & 1)
                rows[i] |= rows[k];
}

static void see_matters(const struct judge_found *found, struct weak_picture *v)
{
    for (uint32_t i = 0; i < found->length; i++)
        JUDGE_EACH(x, found->before[found->order[i]])
            v->matters[x] |= judge_bit(found->order[i]);
}

/* Row i: what members reach by possible orders and what matters. */
static void fill_reach(const struct weak_picture *v, uint64_t members, uint32_t count, uint64_t *reach)
{
    for (uint32_t i = 0; i < count; i++)
        reach[i] = members >> i & 1 ? (v->possible[i] & members) | v->matters[i] : 0;
    close_rows(reach, count);
}

/* A possible order on a cycle with what matters; the shortest cycles first. */
static bool find_cycle(const struct weak_picture *v, uint64_t members, uint32_t count, uint32_t *a,
                       uint32_t *b)
{
    uint64_t reach[JUDGE_OPS_MAX] = {0};
    fill_reach(v, members, count, reach);
    for (int longer = 0; longer < 2; longer++)
        for (uint32_t i = 0; i < count; i++)
            JUDGE_EACH(k, reach[i] ? v->possible[i] & members : 0)
                if ((longer ? reach[k] : v->matters[k]) >> i & 1) {
                    *a = i;
                    *b = (uint32_t)k;
                    return true;
                }
    return false;
}

/* --- what the answer rests on ----------------------------------------------------------------------------- */

/* Is all that matters caused? Then a client's orders that make a cycle with it make a cycle of causes. */
static bool is_caused(const struct judge *j, const struct judge_relation *causes,
                      const struct weak_picture *v)
{
    for (uint32_t x = 0; x < j->part.count; x++)
        if (v->matters[x] & j->part.completed & ~causes->to_return[x])
            return false;
    return true;
}

static void need_causes(struct judge *j, const struct weak_picture *v)
{
    for (uint32_t x = 0; x < j->part.count; x++)
        j->needed.causes[x] |= v->matters[x] & j->part.completed & ~judge_bit(x);
}

/* Nothing was added yet and no cycle is possible: orders that would not make one may be possible, too. */
static void need_hindrances(struct judge *j, const struct weak_picture *v, uint64_t members)
{
    uint32_t count = j->part.count;
    uint64_t reach[JUDGE_OPS_MAX] = {0};
    fill_reach(v, members, count, reach);
    JUDGE_EACH(b, members)
        JUDGE_EACH(a, v->surely[b] & members & ~judge_bit((uint32_t)b)) {
            if (reach[b] >> a & 1) {
                j->needed.hinder[b] |= judge_bit((uint32_t)a);
                continue;
            }
            uint64_t gained = reach[b] | judge_bit((uint32_t)b);
            for (uint32_t i = 0; i < count; i++)
                if (i == a || reach[i] >> a & 1)
                    reach[i] |= gained;
        }
}

static void need_everything(struct judge *j)
{
    const struct judge_part *p = &j->part;
    memcpy(j->needed.knows, p->knows, p->count * sizeof *p->knows);
    memcpy(j->needed.hinder, p->hinder, p->count * sizeof *p->hinder);
    memcpy(j->needed.causes, p->causes, p->count * sizeof *p->causes);
}

/* --- the search -------------------------------------------------------------------------------------------- */

static enum judge_step search(struct weak_search *s, uint32_t depth);

static enum judge_step try_order(struct weak_search *s, uint32_t depth, uint32_t a, uint32_t b)
{
    struct judge *j = s->judge;
    struct judge_level *l = judge_level_at(j, depth), *more = judge_level_at(j, depth + 1);
    *more = *l;
    judge_relation_precede(&more->relation, j->part.count, a, b);
    judge_relation_precede(&more->causes, j->part.count, a, b);
    more->orders[a] |= judge_bit(b);
    l->excluded[a] |= judge_bit(b);
    return search(s, depth + 1);
}

static enum judge_step refute(struct weak_search *s, uint32_t depth, const struct judge_found *found,
                              struct weak_picture *v)
{
    struct judge *j = s->judge;
    uint32_t count = j->part.count, a, b;
    see_matters(found, v);
    if (is_caused(j, &judge_level_at(j, depth)->causes, v)) {
        if (depth == 0)
            need_causes(j, v);
        return JUDGE_YES;
    }
    bool first = depth == 0;
    while (find_cycle(v, found->members, count, &a, &b)) {
        if (first)
            need_everything(j);
        first = false;
        enum judge_step step = try_order(s, depth, a, b);
        if (step != JUDGE_YES)
            return step;
        v->possible[a] &= ~judge_bit(b);
    }
    if (first)
        need_hindrances(j, v, found->members);
    return JUDGE_YES;
}

/* No order is legal: is there such an execution? If not, none with more orders exists either. */
static enum judge_step conclude(struct weak_search *s, uint32_t depth)
{
    const struct judge_execution *x = s->judge->part.execution;
    const struct judge_part *p = &s->judge->part;
    const struct judge_level *l = judge_level_at(s->judge, depth);
    uint64_t orders[JUDGE_OPS_MAX] = {0};
    s->violating = depth;
    if (!x->is_consistent)
        return JUDGE_NO;
    for (uint32_t a = 0; a < p->count; a++)
        JUDGE_EACH(b, l->orders[a])
            orders[p->number ? p->number[a] : a] |= judge_bit(p->number ? p->number[b] : (uint32_t)b);
    s->judge->asked_model = true;
    return x->is_consistent(x->context, orders) ? JUDGE_NO : JUDGE_YES;
}

static enum judge_step search(struct weak_search *s, uint32_t depth)
{
    const struct judge_level *l = judge_level_at(s->judge, depth);
    struct judge_question q = {.part = &s->judge->part, .outcome = s->outcome, .waits = s->waits};
    struct judge_found found;
    struct weak_picture v = {0};
    s->judge->counts.nodes++;
    see_possible(s->judge, l, &v);
    for (uint32_t a = 0; a < q.part->count; a++)
        JUDGE_EACH(b, l->relation.to_call[a])
            q.before[b] |= judge_bit(a);
    uint64_t surely[JUDGE_OPS_MAX];
    for (uint32_t x = 0; x < q.part->count; x++)
        surely[x] = v.surely[x];
    for (uint32_t y = 0; y < q.part->count; y++)
        JUDGE_EACH(x, q.before[y])
            surely[x] |= judge_bit(y);
    q.surely = surely;
    enum judge_step step = judge_find_order(s->judge, &q, &found);
    if (step == JUDGE_NO) {
        q.surely = NULL;
        step = judge_find_order(s->judge, &q, &found);
    }
    if (step == JUDGE_NO)
        return conclude(s, depth);
    return step == JUDGE_YES ? refute(s, depth, &found, &v) : step;
}

enum judge_step judge_search_weak(struct judge *j, struct judge_outcome *o, uint32_t waits, uint32_t *depth)
{
    struct weak_search s = {.judge = j, .outcome = o, .waits = waits};
    struct judge_level *l = judge_level_at(j, 0);
    memset(l, 0, sizeof *l);
    for (uint32_t i = 0; i < j->part.count; i++) {
        uint64_t itself = judge_bit(i) & j->part.completed;
        l->relation.to_return[i] = j->part.knows[i] | itself;
        l->relation.to_call[i] = j->part.after[i];
        l->causes.to_return[i] = j->part.causes[i] | itself;
    }
    judge_relation_close(&l->relation, j->part.count);
    judge_relation_close(&l->causes, j->part.count);
    enum judge_step step = search(&s, 0);
    *depth = s.violating;
    return step;
}
