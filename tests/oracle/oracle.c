/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle.h"

#include <string.h>

/* Dead ends: sets of operations done so far with the state they led to. Equal bytes are equal states;
 * equal states with different bytes are merely explored twice, and so is what no longer fits. */
#define DEAD_ENDS_MAX 16384
#define NO_ENTRY UINT16_MAX

struct dead_ends {
    uint16_t newest[1u << ORACLE_MAX]; /* by set of operations */
    uint16_t older[DEAD_ENDS_MAX];
    struct oracle_state states[DEAD_ENDS_MAX];
    uint16_t count;
};

struct exploration {
    const struct oracle *o;
    uint32_t members; /* what is judged */
    struct dead_ends *dead;
};

static bool is_dead_end(const struct dead_ends *d, uint32_t done, const struct oracle_state *s)
{
    for (uint16_t e = d->newest[done]; e != NO_ENTRY; e = d->older[e])
        if (memcmp(&d->states[e], s, sizeof *s) == 0)
            return true;
    return false;
}

static void remember_dead_end(struct dead_ends *d, uint32_t done, const struct oracle_state *s)
{
    if (d->count == DEAD_ENDS_MAX)
        return;
    uint16_t e = d->count++;
    d->states[e] = *s;
    d->older[e] = d->newest[done];
    d->newest[done] = e;
}

static bool try_orders(const struct exploration *x, uint32_t done, const struct oracle_state *s);

/* Can operation i come next, with any of its outcomes that gives the result that was seen? */
static bool try_next(const struct exploration *x, uint32_t done, const struct oracle_state *s, uint32_t i)
{
    const struct oracle_call *c = &x->o->calls[i];
    for (unsigned choice = 0;; choice++) {
        struct oracle_state after = *s;
        plumb_value answer;
        if (!oracle_perform(x->o->spec, &after, c, choice, &answer))
            return false;
        if (c->result != PLUMB_ANY && c->result != answer)
            continue;
        if (try_orders(x, done | 1u << i, &after))
            return true;
    }
}

static bool try_orders(const struct exploration *x, uint32_t done, const struct oracle_state *s)
{
    uint32_t left = x->members & ~done;
    if (!(left & x->o->completed))
        return true; /* pending operations that are left did not happen */
    if (is_dead_end(x->dead, done, s))
        return false;
    for (uint32_t i = 0; i < x->o->count; i++)
        if ((left >> i & 1) && !(x->o->before[i] & left) && try_next(x, done, s, i))
            return true;
    remember_dead_end(x->dead, done, s);
    return false;
}

static bool object_is_linearizable(const struct oracle *o, uint32_t members)
{
    static struct dead_ends dead;
    memset(dead.newest, 0xff, sizeof dead.newest[0] << o->count);
    dead.count = 0;
    struct exploration x = {.o = o, .members = members, .dead = &dead};
    struct oracle_state s = oracle_start(o->spec, o->calls[0].values, o->initial);
    return try_orders(&x, 0, &s);
}

bool oracle_linearizable(const struct oracle *o, uint32_t members)
{
    members &= (1u << o->count) - 1;
    while (members) {
        uint32_t object = o->object[__builtin_ctz(members)], same = 0;
        for (uint32_t i = 0; i < o->count; i++)
            if ((members >> i & 1) && o->object[i] == object)
                same |= 1u << i;
        if (!object_is_linearizable(o, same))
            return false;
        members &= ~same;
    }
    return true;
}

static bool allows_from(const struct oracle *o, uint32_t left, const struct oracle_state *s,
                        const uint32_t *order, uint32_t count)
{
    if (count == 0)
        return true;
    uint32_t i = order[0];
    if (i >= o->count || !(left >> i & 1) || (o->before[i] & left))
        return false;
    const struct oracle_call *c = &o->calls[i];
    for (unsigned choice = 0;; choice++) {
        struct oracle_state after = *s;
        plumb_value answer;
        if (!oracle_perform(o->spec, &after, c, choice, &answer))
            return false;
        bool fits = c->result == PLUMB_ANY || c->result == answer;
        if (fits && allows_from(o, left & ~(1u << i), &after, order + 1, count - 1))
            return true;
    }
}

bool oracle_allows(const struct oracle *o, uint32_t members, const uint32_t *order, uint32_t count)
{
    struct oracle_state s = oracle_start(o->spec, o->calls[0].values, o->initial);
    return allows_from(o, members, &s, order, count);
}

/* Program order of one thread: by call, then return, then place in the history. */
static bool comes_first(const struct history_op *a, const struct history_op *b, bool stands_first)
{
    if (a->call != b->call)
        return a->call < b->call;
    if (a->pending || b->pending)
        return a->pending == b->pending ? stands_first : b->pending;
    return a->ret != b->ret ? a->ret < b->ret : stands_first;
}

static bool precedes(const struct history *h, uint32_t i, uint32_t j)
{
    const struct history_op *a = history_at(h, i), *b = history_at(h, j);
    if (i == j)
        return false;
    return (!a->pending && a->ret < b->call) || (a->thread == b->thread && comes_first(a, b, i < j));
}

bool oracle_prepare(struct oracle *o, const struct history *h, const struct oracle_spec *spec,
                    plumb_value initial)
{
    if (h->ops.len > ORACLE_MAX)
        return false;
    o->spec = spec;
    o->initial = initial;
    o->count = (uint32_t)h->ops.len;
    o->completed = 0;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct history_op *op = history_at(h, i);
        o->calls[i] = (struct oracle_call){.values = h->values,
                                           .arg = op->arg,
                                           .thread = op->thread,
                                           .result = op->pending ? PLUMB_ANY : op->result,
                                           .name = oracle_name(h->op_names.data[op->op])};
        if (o->calls[i].name < 0)
            return false;
        o->object[i] = history_object_of(h, i);
        o->completed |= op->pending ? 0 : 1u << i;
        o->before[i] = 0;
        for (uint32_t j = 0; j < o->count; j++)
            o->before[i] |= precedes(h, j, i) ? 1u << j : 0;
    }
    return true;
}
