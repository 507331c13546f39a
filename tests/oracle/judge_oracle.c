/* SPDX-License-Identifier: Apache-2.0 */
/* Is an execution linearizable for every client? Word for word: every order that clients can add, or every
 * interleaving, gives a history, and every history is judged. */
#include "oracle/sketch.h"

#include <string.h>

enum { HISTORIES_MOST = 60000, CLIENTS_MOST = 40000 };

/* --- one history ----------------------------------------------------------------------------------------------- */

struct trial {
    struct oracle o; /* `before` changes from history to history */
    const struct sketch *s;
    uint32_t called;
    struct hash_map seen; /* hashes of histories that were fine */
};

static void trial_begin(struct trial *t, const struct sketch *s, struct plumb_values *values)
{
    memset(t, 0, sizeof *t);
    t->s = s;
    t->o.spec = oracle_find_spec(s->spec);
    t->o.initial = PLUMB_OK;
    t->o.count = s->op_count;
    for (uint32_t i = 0; i < s->op_count; i++) {
        const struct sketch_op *op = &s->ops[i];
        t->o.calls[i] = (struct oracle_call){.values = values,
                                             .arg = op->arg,
                                             .result = op->returned ? op->result : PLUMB_ANY,
                                             .name = oracle_name(op->name),
                                             .thread = op->thread};
        t->o.object[i] = op->object;
        t->called |= op->called ? 1u << i : 0;
        t->o.completed |= op->returned ? 1u << i : 0;
    }
}

static bool has_to_wait(const struct trial *t, const struct oracle_state *s, uint32_t e)
{
    struct oracle_state copy = *s;
    plumb_value answer;
    return !oracle_perform(t->o.spec, &copy, &t->o.calls[e], 0, &answer);
}

/* Is there a legal order of what is left after which e has to wait? */
static bool leads_to_wait(const struct trial *t, uint32_t left, const struct oracle_state *s, uint32_t e)
{
    if (!left)
        return has_to_wait(t, s, e);
    for (uint32_t i = 0; i < t->o.count; i++) {
        if (!(left >> i & 1) || t->o.before[i] & left)
            continue;
        for (unsigned choice = 0;; choice++) {
            struct oracle_state after = *s;
            plumb_value answer;
            if (!oracle_perform(t->o.spec, &after, &t->o.calls[i], choice, &answer))
                break;
            if (answer == t->o.calls[i].result && leads_to_wait(t, left & ~(1u << i), &after, e))
                return true;
        }
    }
    return false;
}

static bool stuck_is_fine(const struct trial *t)
{
    for (uint32_t e = 0; e < t->o.count; e++) {
        if (!(t->called >> e & 1) || t->o.completed >> e & 1)
            continue;
        uint32_t same = 0;
        for (uint32_t i = 0; i < t->o.count; i++)
            same |= t->o.object[i] == t->o.object[e] ? 1u << i : 0;
        struct oracle_state start = oracle_start(t->o.spec, t->o.calls[0].values, t->o.initial);
        if (!leads_to_wait(t, t->o.completed & same, &start, e))
            return false;
    }
    return oracle_linearizable(&t->o, t->o.completed);
}

static uint64_t hash_before(const struct trial *t, uint64_t h)
{
    for (uint32_t i = 0; i < t->o.count; i++)
        h = hash_combine(h, t->o.before[i] & t->called);
    return h;
}

static bool history_is_fine(struct trial *t)
{
    uint32_t *seen = hash_map_at(&t->seen, hash_before(t, 1));
    if (*seen != HASH_NO_NUMBER)
        return true;
    *seen = 1;
    return t->s->ending == SKETCH_STUCK ? stuck_is_fine(t) : oracle_linearizable(&t->o, t->called);
}

/* --- every client -------------------------------------------------------------------------------------------------- */

struct clients {
    struct trial t;
    const struct memory_model *m;
    uint64_t orders[SKETCH_OPS];
    uint32_t count;
    bool too_many;
};

static uint32_t find_mark(const struct graph *g, enum event_kind kind, uint32_t op)
{
    for (uint32_t e = 0; e < g->count; e++)
        if (g->events[e].type == GRAPH_MARK && g->events[e].label.kind == kind && g->events[e].value == op)
            return e;
    return GRAPH_NONE;
}

/* In the client's own graph the order of operations is happens-before. */
static void find_before(struct clients *c, const struct graph *g)
{
    for (uint32_t b = 0; b < c->t.o.count; b++) {
        c->t.o.before[b] = 0;
        uint32_t call = find_mark(g, EVENT_OP_CALL, b);
        for (uint32_t a = 0; a < c->t.o.count && call != GRAPH_NONE; a++) {
            uint32_t ret = find_mark(g, EVENT_OP_RETURN, a);
            if (ret != GRAPH_NONE && graph_includes(graph_clock(g, call, CLOCK_HB), &g->events[ret]))
                c->t.o.before[b] |= 1u << a;
        }
    }
}

/* False: a history that is not fine. Clients with more orders than an inconsistent one are inconsistent. */
static bool try_clients(struct clients *c, uint32_t pair)
{
    if (++c->count > CLIENTS_MOST || c->t.seen.count >= HISTORIES_MOST) {
        c->too_many = true;
        return true;
    }
    struct graph *g = sketch_graph(c->t.s, c->m, c->orders, 0);
    bool exists = g && model_is_consistent_full(c->m, g);
    if (exists)
        find_before(c, g);
    if (g)
        graph_free(g);
    if (!exists)
        return true;
    if (!history_is_fine(&c->t))
        return false;
    uint32_t n = c->t.o.count;
    for (; pair < n * n && !c->too_many; pair++) {
        uint32_t a = pair / n, b = pair % n;
        if (a == b || !(c->t.o.completed >> a & 1) || !(c->t.called >> b & 1))
            continue;
        c->orders[a] |= UINT64_C(1) << b;
        bool fine = try_clients(c, pair + 1);
        c->orders[a] &= ~(UINT64_C(1) << b);
        if (!fine)
            return false;
    }
    return true;
}

int sketch_holds(const struct sketch *s, const struct memory_model *m, struct plumb_values *values)
{
    struct clients c = {.m = m};
    trial_begin(&c.t, s, values);
    bool fine = try_clients(&c, 0);
    hash_map_free(&c.t.seen);
    return !fine ? 0 : c.too_many ? -1 : 1;
}

/* --- every interleaving --------------------------------------------------------------------------------------------- */

struct interleavings {
    struct trial t;
    uint32_t nodes; /* calls and returns */
    uint32_t event[2 * SKETCH_OPS];
    uint32_t after[2 * SKETCH_OPS]; /* nodes that must be before */
    uint32_t returned;
    struct hash_map been; /* the same events happened, with the same precedences */
    bool too_many;
};

static bool conflict(const struct sketch_event *a, const struct sketch_event *b)
{
    bool accesses = a->kind >= SKETCH_READ && a->kind <= SKETCH_UPDATE && b->kind >= SKETCH_READ &&
                    b->kind <= SKETCH_UPDATE;
    return accesses && a->location == b->location && (a->kind != SKETCH_READ || b->kind != SKETCH_READ);
}

static bool is_ordered(const struct sketch_event *a, const struct sketch_event *b)
{
    return a->thread == b->thread || conflict(a, b) ||
           (a->kind == SKETCH_CREATE && b->kind == SKETCH_BEGIN && a->other == b->thread) ||
           (a->kind == SKETCH_END && b->kind == SKETCH_JOIN && b->other == a->thread);
}

static void find_constraints(struct interleavings *x)
{
    static bool before[SKETCH_EVENTS][SKETCH_EVENTS];
    const struct sketch *s = x->t.s;
    for (uint32_t a = 0; a < s->count; a++)
        for (uint32_t b = 0; b < s->count; b++)
            before[a][b] = a < b && is_ordered(&s->events[a], &s->events[b]);
    for (uint32_t k = 0; k < s->count; k++)
        for (uint32_t a = 0; a < s->count; a++)
            for (uint32_t b = 0; b < s->count; b++)
                before[a][b] |= before[a][k] && before[k][b];
    for (uint32_t e = 0; e < s->count; e++)
        if (s->events[e].kind <= SKETCH_RETURN)
            x->event[x->nodes++] = e;
    for (uint32_t i = 0; i < x->nodes; i++)
        for (uint32_t k = 0; k < x->nodes; k++)
            x->after[i] |= before[x->event[k]][x->event[i]] ? 1u << k : 0;
}

static bool interleave(struct interleavings *x, uint32_t done)
{
    uint32_t *been = hash_map_at(&x->been, hash_before(&x->t, done + UINT64_C(1)));
    if (*been != HASH_NO_NUMBER)
        return true;
    *been = 1;
    if (x->been.count > HISTORIES_MOST) {
        x->too_many = true;
        return true;
    }
    if (done == (1u << x->nodes) - 1)
        return history_is_fine(&x->t);
    for (uint32_t i = 0; i < x->nodes && !x->too_many; i++) {
        if (done >> i & 1 || x->after[i] & ~done)
            continue;
        const struct sketch_event *ev = &x->t.s->events[x->event[i]];
        uint32_t returned = x->returned, before = x->t.o.before[ev->other];
        if (ev->kind == SKETCH_CALL)
            x->t.o.before[ev->other] = returned;
        else
            x->returned |= 1u << ev->other;
        bool fine = interleave(x, done | 1u << i);
        x->returned = returned;
        x->t.o.before[ev->other] = before;
        if (!fine)
            return false;
    }
    return true;
}

int sketch_holds_interleaved(const struct sketch *s, struct plumb_values *values)
{
    struct interleavings x = {0};
    trial_begin(&x.t, s, values);
    find_constraints(&x);
    bool fine = interleave(&x, 0);
    hash_map_free(&x.t.seen);
    hash_map_free(&x.been);
    return !fine ? 0 : x.too_many ? -1 : 1;
}
