/* SPDX-License-Identifier: Apache-2.0 */
/* The axioms, word for word, over matrices of events. Slow and independent of clocks: what the models are
 * tested against. */
#include "graph/model.h"

#include "base/memory.h"
#include "graph/graph_serial.h"

#include <string.h>

struct relation {
    uint8_t *at; /* at[a * n + b]: a is related to b */
    uint32_t n;
};

struct axioms {
    const struct memory_model *m;
    const struct graph *g;
    uint32_t n;
    uint32_t *events,
        *places; /* the n events that count; of each event of the graph, its number there, or GRAPH_NONE */
    /* Of accesses with parts, only the last part is related: it stands for all, see lift */
    struct relation po, rf, mo, fr, sync, hb, eco;
    struct relation local; /* eco of the parts one by one */
    uint8_t *role;         /* of each event, enum role */
};

/* Notes are no accesses, unless synchronization was added there: then as if by a location of their own. */
enum role { ROLE_STEP, ROLE_NOTE, ROLE_SYNC_FROM, ROLE_SYNC_TO };

static const struct graph_event *event_of(const struct axioms *x, uint32_t a)
{
    return &x->g->events[x->events[a]];
}

/* Of an event of the graph, or GRAPH_NONE. */
static uint32_t place_of(const struct axioms *x, uint32_t e)
{
    return e == GRAPH_NONE ? GRAPH_NONE : x->places[e];
}

static uint32_t last_part(const struct axioms *x, uint32_t a)
{
    return place_of(x, graph_last_part(x->g, x->events[a]));
}

static struct relation relation_new(uint32_t n)
{
    return (struct relation){NEW_ZEROED(uint8_t, (size_t)n * n + 1), n};
}

static uint8_t *relation_at(const struct relation *r, uint32_t a, uint32_t b)
{
    return &r->at[(size_t)a * r->n + b];
}

static void relation_add(struct relation *into, const struct relation *from)
{
    for (size_t i = 0; i < (size_t)into->n * into->n; i++)
        into->at[i] |= from->at[i];
}

static void relation_close(struct relation *r)
{
    for (uint32_t k = 0; k < r->n; k++)
        for (uint32_t a = 0; a < r->n; a++)
            if (*relation_at(r, a, k))
                for (uint32_t b = 0; b < r->n; b++)
                    *relation_at(r, a, b) |= *relation_at(r, k, b);
}

/* into ∪= a;b */
static void relation_add_product(struct relation *into, const struct relation *a, const struct relation *b)
{
    for (uint32_t x = 0; x < into->n; x++)
        for (uint32_t y = 0; y < into->n; y++)
            if (*relation_at(a, x, y))
                for (uint32_t z = 0; z < into->n; z++)
                    *relation_at(into, x, z) |= *relation_at(b, y, z);
}

static bool relation_is_acyclic(struct relation *r)
{
    relation_close(r);
    for (uint32_t a = 0; a < r->n; a++)
        if (*relation_at(r, a, a))
            return false;
    return true;
}

/* --- the relations of a graph ----------------------------------------------------------------------- */

static void axioms_add_po(struct axioms *x)
{
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++) {
            const struct graph_event *ea = event_of(x, a), *eb = event_of(x, b);
            if (last_part(x, a) != a || last_part(x, b) != b)
                continue;
            if (ea->thread == eb->thread && ea->thread != GRAPH_INIT_THREAD)
                *relation_at(&x->po, a, b) = ea->index < eb->index;
            else if (ea->type == GRAPH_INIT && eb->type != GRAPH_INIT)
                *relation_at(&x->sync, a, b) = 1;
            if (ea->type == GRAPH_CREATE && eb->type == GRAPH_BEGIN && ea->address == eb->thread)
                *relation_at(&x->sync, a, b) = 1;
            if (ea->type == GRAPH_END && eb->type == GRAPH_JOIN && eb->address == ea->thread)
                *relation_at(&x->sync, a, b) = 1;
        }
}

static void axioms_add_mo(struct axioms *x)
{
    for (uint32_t a = 0; a < x->n; a++)
        if (graph_is_write(event_of(x, a)))
            for (uint32_t e = event_of(x, a)->mo_after; e != GRAPH_NONE; e = x->g->events[e].mo_after)
                if (x->places[e] != GRAPH_NONE)
                    *relation_at(&x->mo, a, x->places[e]) = 1;
}

static void axioms_add_rf(struct axioms *x)
{
    for (uint32_t r = 0; r < x->n; r++)
        if (event_of(x, r)->type == GRAPH_READ && event_of(x, r)->rf != GRAPH_NONE) {
            uint32_t w = x->places[event_of(x, r)->rf];
            *relation_at(&x->rf, w, r) = 1;
            for (uint32_t b = 0; b < x->n; b++)
                if (*relation_at(&x->mo, w, b))
                    *relation_at(&x->fr, r, b) = 1;
        }
}

/* eco = rf | mo;rf? | fr;rf?, where a read of a piece is followed by what has a byte in common with it only. */
static void axioms_add_eco(struct axioms *x)
{
    OWNED struct relation between = relation_new(x->n);
    relation_add_product(&between, &x->fr, &x->rf);
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++)
            *relation_at(&between, a, b) &= graph_shares_bytes(event_of(x, a), event_of(x, b));
    relation_add_product(&x->local, &x->mo, &x->rf);
    relation_add(&x->local, &between);
    relation_add(&x->local, &x->rf);
    relation_add(&x->local, &x->mo);
    relation_add(&x->local, &x->fr);
}

/* The last parts of accesses get what their other parts have, and those have nothing any more. */
static void lift(const struct axioms *x, struct relation *r)
{
    for (uint32_t a = 0; x->g->has_parts && a < r->n; a++)
        for (uint32_t b = 0; b < r->n; b++) {
            uint32_t last_a = last_part(x, a), last_b = last_part(x, b);
            bool related = *relation_at(r, a, b);
            if (last_a != a || last_b != b)
                *relation_at(r, a, b) = 0;
            *relation_at(r, last_a, last_b) |= related;
        }
}

static bool is_order(const struct axioms *x, uint32_t e, bool (*test)(unsigned), bool write_side)
{
    const struct graph_event *ev = event_of(x, e);
    bool fits = ev->type == GRAPH_FENCE || (write_side ? ev->type == GRAPH_WRITE : ev->type == GRAPH_READ);
    return fits && test(ev->order);
}

/* [W];po|loc;[W]: in C11 a release sequence goes on with later stores of its thread. */
static bool stores_again(const struct axioms *x, uint32_t a, uint32_t b)
{
    const struct graph_event *ea = event_of(x, a), *eb = event_of(x, b);
    return x->m->stores_continue && ea->type == GRAPH_WRITE && eb->type == GRAPH_WRITE &&
           *relation_at(&x->po, a, b) && model_is_same_place(x->g, ea, eb);
}

/* rs = (rf;rmw)*: from a write to the writes of its release sequence. In C11 po|loc?;(rf;rmw)*. */
static void axioms_release_sequences(const struct axioms *x, struct relation *rs)
{
    for (uint32_t w = 0; w < x->n; w++) {
        const struct graph_event *ev = event_of(x, w);
        uint32_t source = ev->type == GRAPH_WRITE ? place_of(x, graph_update_source(x->g, ev)) : GRAPH_NONE;
        if (source != GRAPH_NONE)
            *relation_at(rs, last_part(x, source), last_part(x, w)) = 1;
    }
    relation_close(rs);
    for (uint32_t w = 0; w < x->n; w++)
        *relation_at(rs, w, w) = 1;
    OWNED struct relation later = relation_new(x->n), longer = relation_new(x->n);
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++)
            *relation_at(&later, a, b) = stores_again(x, a, b);
    relation_add_product(&longer, &later, rs);
    relation_add(rs, &longer);
}

/* Where a release beginning at `e` arrives: the event itself if a write, the later writes if a fence. */
static bool releases_through(const struct axioms *x, uint32_t e, uint32_t w)
{
    if (event_of(x, w)->type != GRAPH_WRITE || !is_order(x, e, graph_is_release, true))
        return false;
    return e == w || (event_of(x, e)->type == GRAPH_FENCE && *relation_at(&x->po, e, w));
}

static bool acquires_through(const struct axioms *x, uint32_t r, uint32_t e)
{
    if (event_of(x, r)->type != GRAPH_READ || !is_order(x, e, graph_is_acquire, false))
        return false;
    return e == r || (event_of(x, e)->type == GRAPH_FENCE && *relation_at(&x->po, r, e));
}

static void axioms_add_hb(struct axioms *x)
{
    OWNED struct relation rs = relation_new(x->n), from = relation_new(x->n), into = relation_new(x->n),
                          middle = relation_new(x->n), left = relation_new(x->n);
    axioms_release_sequences(x, &rs);
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++) {
            *relation_at(&from, a, b) = releases_through(x, a, b);
            *relation_at(&into, a, b) = acquires_through(x, a, b);
        }
    relation_add_product(&middle, &rs, &x->rf);
    relation_add_product(&left, &from, &middle);
    relation_add_product(&x->hb, &left, &into);
    relation_add(&x->hb, &x->po);
    relation_add(&x->hb, &x->sync);
    relation_close(&x->hb);
}

static void axioms_add_orders(struct axioms *x, const struct model_order *orders, uint32_t count)
{
    x->role = NEW_ZEROED(uint8_t, x->n + 1);
    for (uint32_t e = 0; e < x->n; e++)
        if (graph_is_note(event_of(x, e)))
            x->role[e] = ROLE_NOTE;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = x->places[orders[i].from], to = x->places[orders[i].to];
        *relation_at(&x->sync, from, to) = 1;
        x->role[from] = ROLE_SYNC_FROM;
        x->role[to] = ROLE_SYNC_TO;
    }
}

static void axioms_number(struct axioms *x, const bool *left_out)
{
    x->events = NEW_ARRAY(uint32_t, x->g->count + 1);
    x->places = NEW_ARRAY(uint32_t, x->g->count + 1);
    for (uint32_t e = 0; e < x->g->count; e++) {
        bool counts = !left_out || !left_out[e];
        x->places[e] = counts ? x->n : GRAPH_NONE;
        if (counts)
            x->events[x->n++] = e;
    }
}

struct question {
    const struct memory_model *m;
    const struct graph *g;
    const struct model_order *orders;
    uint32_t count;
    const bool *left_out; /* these events; null: none */
};

static struct axioms axioms_of(const struct question *q)
{
    struct axioms x = {.m = q->m, .g = q->g};
    struct relation *const all[] = {&x.po, &x.rf, &x.mo, &x.fr, &x.sync, &x.hb, &x.eco, &x.local};
    axioms_number(&x, q->left_out);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = relation_new(x.n);
    axioms_add_po(&x);
    axioms_add_orders(&x, q->orders, q->count);
    axioms_add_mo(&x);
    axioms_add_rf(&x);
    axioms_add_eco(&x);
    relation_add(&x.eco, &x.local);
    lift(&x, &x.rf), lift(&x, &x.mo), lift(&x, &x.fr), lift(&x, &x.eco);
    axioms_add_hb(&x);
    return x;
}

static void axioms_free(struct axioms *x)
{
    free(x->po.at), free(x->rf.at), free(x->mo.at), free(x->fr.at), free(x->sync.at), free(x->hb.at),
        free(x->eco.at), free(x->local.at), free(x->role), free(x->events), free(x->places);
}

/* --- the axioms ------------------------------------------------------------------------------------- */

static bool full_is_atomic(const struct axioms *x)
{
    for (uint32_t w = 0; w < x->n; w++) {
        const struct graph_event *ev = event_of(x, w);
        if (ev->type == GRAPH_WRITE && ev->flags & GRAPH_UPDATE &&
            ev->mo_before != graph_update_source(x->g, ev))
            return false;
    }
    return true;
}

/* Of program order, synchronization and `others`. */
static bool is_acyclic_with(const struct axioms *x, const struct relation *others)
{
    OWNED struct relation all = relation_new(x->n);
    relation_add(&all, &x->po);
    relation_add(&all, others);
    relation_add(&all, &x->sync);
    return relation_is_acyclic(&all);
}

static bool tso_preserves(const struct axioms *x, uint32_t a, uint32_t b)
{
    const struct graph_event *ea = event_of(x, a), *eb = event_of(x, b);
    if (!*relation_at(&x->po, a, b))
        return false;
    if (x->role[a] == ROLE_SYNC_TO || x->role[b] == ROLE_SYNC_FROM) /* a read; a write */
        return true;
    bool a_fence = ea->type == GRAPH_FENCE && ea->order == ORDER_SEQ_CST;
    bool b_fence = eb->type == GRAPH_FENCE && eb->order == ORDER_SEQ_CST;
    if (ea->type == GRAPH_READ || ea->flags & GRAPH_LOCKED || a_fence || ea->type == GRAPH_BEGIN ||
        ea->type == GRAPH_JOIN || (ea->type == GRAPH_WRITE && ea->order == ORDER_SEQ_CST))
        return true;
    return eb->type == GRAPH_WRITE || eb->flags & GRAPH_LOCKED || b_fence || eb->type == GRAPH_CREATE ||
           eb->type == GRAPH_END;
}

static bool full_tso(const struct axioms *x)
{
    OWNED struct relation local = relation_new(x->n), global = relation_new(x->n);
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++) {
            const struct graph_event *ea = event_of(x, a), *eb = event_of(x, b);
            bool same = ea->location != GRAPH_NONE && ea->location == eb->location &&
                        ea->thread == eb->thread && graph_shares_bytes(ea, eb);
            *relation_at(&local, a, b) =
                *relation_at(&x->local, a, b) | (same && ea->type != GRAPH_INIT && ea->index < eb->index);
            *relation_at(&global, a, b) = *relation_at(&x->mo, a, b) | *relation_at(&x->fr, a, b) |
                                          *relation_at(&x->sync, a, b) | tso_preserves(x, a, b) |
                                          (ea->thread != eb->thread && *relation_at(&x->rf, a, b));
        }
    return relation_is_acyclic(&local) && relation_is_acyclic(&global);
}

static bool full_coherent(const struct axioms *x)
{
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++)
            if (*relation_at(&x->hb, a, b) && (a == b || *relation_at(&x->eco, b, a)))
                return false;
    return true;
}

static bool different_location(const struct axioms *x, uint32_t a, uint32_t b)
{
    const struct graph_event *ea = event_of(x, a), *eb = event_of(x, b);
    if (x->role[a] == ROLE_NOTE || x->role[b] == ROLE_NOTE)
        return false;
    return ea->location == GRAPH_NONE || eb->location == GRAPH_NONE || !model_is_same_place(x->g, ea, eb);
}

static struct relation full_scb(const struct axioms *x)
{
    struct relation scb = relation_new(x->n);
    OWNED struct relation away = relation_new(x->n), there = relation_new(x->n);
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++) {
            *relation_at(&away, a, b) = *relation_at(&x->po, a, b) && different_location(x, a, b);
            if (*relation_at(&x->hb, a, b) && !different_location(x, a, b))
                *relation_at(&scb, a, b) = 1;
        }
    relation_add_product(&there, &away, &x->hb);
    relation_add_product(&scb, &there, &away);
    relation_add(&scb, &x->po);
    relation_add(&scb, &x->mo);
    relation_add(&scb, &x->fr);
    return scb;
}

static bool full_psc(const struct axioms *x)
{
    OWNED struct relation scb = full_scb(x), from = relation_new(x->n), into = relation_new(x->n),
                          half = relation_new(x->n), psc = relation_new(x->n), through = relation_new(x->n);
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++) {
            bool a_fence = event_of(x, a)->type == GRAPH_FENCE, b_fence = event_of(x, b)->type == GRAPH_FENCE;
            bool a_sc =
                event_of(x, a)->order == ORDER_SEQ_CST && (a_fence || event_of(x, a)->type <= GRAPH_READ);
            bool b_sc =
                event_of(x, b)->order == ORDER_SEQ_CST && (b_fence || event_of(x, b)->type <= GRAPH_READ);
            bool hb = *relation_at(&x->hb, a, b);
            *relation_at(&from, a, b) = a_sc && (a == b || (a_fence && hb));
            *relation_at(&into, a, b) = b_sc && (a == b || (b_fence && hb));
        }
    relation_add_product(&half, &from, &scb);
    relation_add_product(&psc, &half, &into);
    OWNED struct relation eco_hb = relation_new(x->n);
    relation_add_product(&eco_hb, &x->eco, &x->hb);
    relation_add_product(&through, &x->hb, &eco_hb);
    relation_add(&through, &x->hb);
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++) {
            const struct graph_event *ea = event_of(x, a), *eb = event_of(x, b);
            if (ea->type == GRAPH_FENCE && ea->order == ORDER_SEQ_CST && eb->type == GRAPH_FENCE &&
                eb->order == ORDER_SEQ_CST && *relation_at(&through, a, b))
                *relation_at(&psc, a, b) = 1;
        }
    return relation_is_acyclic(&psc);
}

bool model_sc_axioms(const struct axioms *x)
{
    return is_acyclic_with(x, &x->eco);
}

bool model_tso_axioms(const struct axioms *x)
{
    return full_tso(x);
}

/* Single-copy atomicity of accesses of different sizes; otherwise coherence implies it. */
static bool full_untorn(const struct axioms *x)
{
    OWNED struct relation all = relation_new(x->n);
    relation_add(&all, &x->mo);
    relation_add(&all, &x->fr);
    for (uint32_t a = 0; a < x->n; a++)
        for (uint32_t b = 0; b < x->n; b++)
            *relation_at(&all, a, b) |=
                *relation_at(&x->rf, a, b) && event_of(x, a)->thread != event_of(x, b)->thread;
    return relation_is_acyclic(&all);
}

bool model_rc11_axioms(const struct axioms *x)
{
    return full_coherent(x) && full_untorn(x) && full_psc(x);
}

static bool is_consistent(const struct question *q)
{
    struct axioms x = axioms_of(q);
    bool ok = is_acyclic_with(&x, &x.rf) && full_is_atomic(&x) && q->m->axioms(&x);
    axioms_free(&x);
    return ok;
}

bool model_is_consistent_full(const struct memory_model *m, const struct graph *g)
{
    return is_consistent(&(struct question){.m = m, .g = g});
}

bool model_is_consistent_with(const struct memory_model *m, const struct graph *g,
                              const struct model_order *orders, uint32_t count)
{
    return is_consistent(&(struct question){m, g, orders, count, NULL});
}

/* A read right after one of the same write, with the same label, takes part in no cycle that the first does not. */
static bool repeats_read(const struct graph *g, uint32_t e)
{
    const struct graph_event *ev = &g->events[e];
    if (ev->type != GRAPH_READ || graph_is_part(ev) || ev->po_before == GRAPH_NONE)
        return false;
    const struct graph_event *before = &g->events[ev->po_before];
    return before->type == GRAPH_READ && !graph_is_part(before) && before->rf == ev->rf &&
           before->size == ev->size && !((before->flags | ev->flags) & GRAPH_UPDATE) &&
           before->address == ev->address && before->label.operation == ev->label.operation &&
           before->label.order == ev->label.order && before->label.failure_order == ev->label.failure_order;
}

bool model_stays_consistent(const struct memory_model *m, const struct graph *g,
                            const struct model_order *orders, uint32_t count)
{
    OWNED bool *left_out = graph_find_serial(g);
    for (uint32_t e = 0; e < g->count; e++)
        left_out[e] |= repeats_read(g, e);
    for (uint32_t i = 0; i < count; i++)
        left_out[orders[i].from] = left_out[orders[i].to] = false;
    return is_consistent(&(struct question){m, g, orders, count, left_out});
}
