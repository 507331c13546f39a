/* SPDX-License-Identifier: Apache-2.0 */
/* A violation as a history that others can judge, and a second opinion on it. */
#include "judge/judge_state.h"

#include "spec/registry.h"

#include <string.h>

/* --- stamps ------------------------------------------------------------------------------------------------- */

/* Calls and returns in one order that agrees with all that is certain, calls as early as possible. */
static void stamp_timed(const struct judge_relation *r, const struct judge_part *p, int64_t *call,
                        int64_t *ret)
{
    uint64_t called = 0, returned = 0;
    int64_t now = 0;
    while (called != p->all || returned != p->completed) {
        uint64_t callable = 0, done = 0;
        for (uint32_t b = 0; b < p->count; b++) {
            bool free = true;
            JUDGE_EACH(a, p->completed & ~returned)
                free = free && !(r->to_call[a] >> b & 1);
            callable |= free ? judge_bit(b) : 0;
        }
        JUDGE_EACH(b, callable & ~called)
            call[b] = ++now;
        called |= callable;
        JUDGE_EACH(a, p->completed & called & ~returned) {
            bool free = true;
            JUDGE_EACH(b, p->all & ~called)
                free = free && !(r->to_return[b] >> a & 1);
            if (free)
                done |= judge_bit((uint32_t)a);
        }
        JUDGE_EACH(a, done)
            ret[a] = ++now;
        returned |= done;
    }
}

/* Exactly what `precedes` says, if intervals can: the sets of predecessors have to include one another. */
static bool stamp_intervals(const uint64_t *precedes, const struct judge_part *p, int64_t *call, int64_t *ret)
{
    uint64_t before[JUDGE_OPS_MAX] = {0}, called = 0, returned = 0;
    int64_t now = 0;
    for (uint32_t a = 0; a < p->count; a++)
        JUDGE_EACH(b, precedes[a])
            before[b] |= judge_bit(a);
    for (uint64_t left = p->all; left; left &= ~called) {
        uint32_t next = (uint32_t)__builtin_ctzll(left);
        JUDGE_EACH(b, left)
            if (__builtin_popcountll(before[b]) < __builtin_popcountll(before[next]))
                next = (uint32_t)b;
        if (returned & ~before[next])
            return false;
        JUDGE_EACH(a, before[next] & ~returned)
            ret[a] = ++now;
        returned |= before[next];
        call[next] = ++now;
        called |= judge_bit(next);
    }
    JUDGE_EACH(a, p->completed & ~returned)
        ret[a] = ++now;
    return true;
}

/* Less than `precedes` says, but more than intervals can: operations at one stamp overlap, except in one thread. A new stamp
 * begins where all operations so far precede all others. */
static uint64_t level_with(const uint64_t *precedes, uint64_t left, uint32_t b)
{
    uint64_t level = judge_bit(b);
    for (uint64_t more = level; more;) {
        more = 0;
        JUDGE_EACH(a, level)
            more |= left & ~level & ~precedes[a];
        level |= more;
    }
    return level;
}

static void stamp_levels(const struct judge_part *p, const uint64_t *precedes, int64_t *stamp,
                         uint64_t *implied)
{
    uint64_t left = p->all;
    for (int64_t now = 1; left; now++) {
        uint64_t first = left;
        JUDGE_EACH(b, left) {
            uint64_t level = level_with(precedes, left, (uint32_t)b);
            if (__builtin_popcountll(level) < __builtin_popcountll(first))
                first = level;
        }
        JUDGE_EACH(a, first)
            stamp[a] = now;
        left &= ~first;
    }
    for (uint32_t a = 0; a < p->count; a++) {
        implied[a] = 0;
        for (uint32_t b = 0; b < p->count; b++)
            if (p->completed >> a & 1 &&
                (stamp[a] < stamp[b] || (p->ops[a].thread == p->ops[b].thread && precedes[a] >> b & 1)))
                implied[a] |= judge_bit(b);
    }
}

static uint64_t renumber(const struct judge_part *p, uint64_t set)
{
    uint64_t whole = 0;
    if (!p->number)
        return set;
    JUDGE_EACH(i, set)
        whole |= judge_bit(p->number[i]);
    return whole;
}

/* Are the levels enough to show that it is wrong? */
static bool levels_suffice(const struct judge *j, const struct judge_violation *v, const uint64_t *implied)
{
    const struct judge_part *p = &j->part;
    struct judge_violation weaker = *v;
    for (uint32_t i = 0; i < p->count; i++)
        weaker.precedes[p->number ? p->number[i] : i] = renumber(p, implied[i]);
    return judge_confirm(&j->settings, p->execution, &weaker) == VERDICT_VIOLATED;
}

static void report_levels(const struct judge *j, const struct judge_level *level, struct judge_violation *v)
{
    const struct judge_part *p = &j->part;
    int64_t stamp[JUDGE_OPS_MAX] = {0};
    uint64_t implied[JUDGE_OPS_MAX];
    stamp_levels(p, level->relation.to_call, stamp, implied);
    v->stamped = levels_suffice(j, v, implied);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t k = p->number ? p->number[i] : i;
        v->call[k] = v->ret[k] = stamp[i];
    }
}

void judge_report_violation(const struct judge *j, uint32_t waits, const struct judge_level *level,
                            struct judge_violation *v)
{
    const struct judge_part *p = &j->part;
    int64_t call[JUDGE_OPS_MAX] = {0}, ret[JUDGE_OPS_MAX] = {0};
    memset(v, 0, sizeof *v);
    v->object = p->object;
    v->waits = waits == JUDGE_NO_OP || !p->number ? waits : p->number[waits];
    v->members = renumber(p, waits == JUDGE_NO_OP ? p->all : p->completed | judge_bit(waits));
    v->stamped = p->timed || stamp_intervals(level->relation.to_call, p, call, ret);
    if (p->timed)
        stamp_timed(&level->relation, p, call, ret);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t k = p->number ? p->number[i] : i;
        v->orders[k] = renumber(p, level->orders[i]);
        v->precedes[k] = renumber(p, level->relation.to_call[i]);
        v->call[k] = call[i];
        v->ret[k] = ret[i];
    }
    if (!v->stamped)
        report_levels(j, level, v);
}

/* --- a second opinion ------------------------------------------------------------------------------------------ */

struct confirmation {
    const struct plumb_spec *spec;
    const struct judge_execution *x;
    const struct judge_violation *v;
    uint64_t must, may, effort;
};

static struct plumb_call call_of(const struct judge_execution *x, uint32_t i)
{
    const struct judge_op *op = &x->ops[i];
    return (struct plumb_call){
        .op = op->op,
        .thread = op->thread,
        .arg = op->arg,
        .result = x->completed >> i & 1 ? op->result : PLUMB_ANY,
    };
}

static bool ends_well(const struct confirmation *c, const void *state)
{
    if (!spec_accepts(c->spec, state))
        return false;
    if (c->v->waits == JUDGE_NO_OP)
        return true;
    struct plumb_call call = call_of(c->x, c->v->waits);
    return spec_blocks(c->spec, state, &call);
}

static bool has_open_predecessor(const struct confirmation *c, uint64_t left, uint32_t i)
{
    JUDGE_EACH(a, left)
        if (c->v->precedes[a] >> i & 1)
            return true;
    return false;
}

static bool orders_exist(struct confirmation *c, uint64_t done, const void *state);

static bool orders_exist_after(struct confirmation *c, uint64_t done, const void *state, uint32_t i)
{
    struct plumb_call call = call_of(c->x, i);
    bool found = false, possible = true;
    for (unsigned choice = 0; possible && !found && c->effort; choice++) {
        plumb_value result;
        void *next = c->spec->clone(state);
        possible = c->spec->step(next, &call, choice, &result);
        found = possible && orders_exist(c, done | judge_bit(i), next);
        c->spec->destroy(next);
    }
    return found;
}

static bool orders_exist(struct confirmation *c, uint64_t done, const void *state)
{
    if (c->effort == 0)
        return false;
    c->effort--;
    if (!(c->must & ~done) && ends_well(c, state))
        return true;
    JUDGE_EACH(i, c->may & ~done)
        if (!has_open_predecessor(c, c->must & ~done, (uint32_t)i) &&
            orders_exist_after(c, done, state, (uint32_t)i))
            return true;
    return false;
}

enum verdict judge_confirm(const struct judge_settings *settings, const struct judge_execution *x,
                           const struct judge_violation *v)
{
    const struct plumb_spec *spec = settings->specs[v->object];
    struct confirmation c = {.spec = spec, .x = x, .v = v, .must = v->members & x->completed};
    c.may = x->ending == JUDGE_CUT ? v->members : c.must;
    c.effort = settings->effort ? settings->effort : 4000000;
    void *state = spec_init(spec, settings->options);
    bool exist = orders_exist(&c, 0, state);
    spec->destroy(state);
    if (exist)
        return VERDICT_HOLDS;
    return c.effort ? VERDICT_VIOLATED : VERDICT_INCONCLUSIVE;
}
