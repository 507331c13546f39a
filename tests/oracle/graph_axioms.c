/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/graph_axioms.h"

#include "graph/event.h"

#include <string.h>

/* ---- relations ---- */

struct relation {
    uint32_t n;
    uint64_t row[CANDIDATE_EVENTS];
};

static void add(struct relation *r, uint32_t from, uint32_t to)
{
    r->row[from] |= UINT64_C(1) << to;
}

static bool has(const struct relation *r, uint32_t from, uint32_t to)
{
    return r->row[from] >> to & 1;
}

static struct relation empty(uint32_t n)
{
    struct relation r = {.n = n};
    return r;
}

static struct relation join(struct relation a, const struct relation *b)
{
    for (uint32_t i = 0; i < a.n; i++)
        a.row[i] |= b->row[i];
    return a;
}

static struct relation join3(struct relation a, const struct relation *b, const struct relation *c)
{
    return join(join(a, b), c);
}

static struct relation compose(const struct relation *a, const struct relation *b)
{
    struct relation r = empty(a->n);
    for (uint32_t i = 0; i < a->n; i++)
        for (uint64_t left = a->row[i]; left; left &= left - 1)
            r.row[i] |= b->row[__builtin_ctzll(left)];
    return r;
}

static struct relation closure(struct relation r)
{
    for (uint32_t k = 0; k < r.n; k++)
        for (uint32_t i = 0; i < r.n; i++)
            if (has(&r, i, k))
                r.row[i] |= r.row[k];
    return r;
}

static struct relation reflexive(struct relation r) /* r? */
{
    for (uint32_t i = 0; i < r.n; i++)
        add(&r, i, i);
    return r;
}

static bool is_irreflexive(const struct relation *r)
{
    for (uint32_t i = 0; i < r->n && i < CANDIDATE_EVENTS;
         i++) /* the second for compilers that cannot know */
        if (has(r, i, i))
            return false;
    return true;
}

static bool is_acyclic(struct relation r)
{
    r = closure(r);
    return is_irreflexive(&r);
}

/* [from];r;[to] for sets of events */
static struct relation between(uint64_t from, struct relation r, uint64_t to)
{
    for (uint32_t i = 0; i < r.n; i++)
        r.row[i] = from >> i & 1 ? r.row[i] & to : 0;
    return r;
}

static struct relation identity(uint32_t n, uint64_t set)
{
    struct relation r = empty(n);
    for (uint32_t i = 0; i < n; i++)
        if (set >> i & 1)
            add(&r, i, i);
    return r;
}

/* ---- relations of a graph ---- */

struct relations {
    uint32_t n;
    uint64_t all;
    struct relation po, rf, mo, fr, rmw, sync;
};

static bool is_write(const struct candidate_event *e)
{
    return e->kind == 'W' || e->kind == 'i';
}

static bool in_program_order(const struct candidate_event *a, const struct candidate_event *b)
{
    if (a->kind == 'i')
        return b->kind != 'i';
    return a->thread == b->thread && a->number < b->number;
}

static bool covers(const struct candidate_event *e, int granule)
{
    return e->location != CANDIDATE_NONE && e->granule <= granule && granule < e->granule + e->granules;
}

static void add_coherence(const struct candidate_graph *g, uint32_t granule, struct relations *r)
{
    for (uint32_t i = 0; i < g->order_length[granule]; i++)
        for (uint32_t j = i + 1; j < g->order_length[granule]; j++)
            add(&r->mo, g->order[granule][i], g->order[granule][j]);
}

/* rf and fr = rf^-1;mo of one granule */
static void add_read(const struct candidate_graph *g, uint32_t granule, uint32_t read, struct relations *r)
{
    const struct candidate_event *e = &g->events[read];
    uint32_t from = (uint32_t)e->from[(int)granule - e->granule], k = 0;
    add(&r->rf, from, read);
    while (k < g->order_length[granule] && g->order[granule][k] != from)
        k++;
    for (k++; k < g->order_length[granule]; k++)
        add(&r->fr, read, g->order[granule][k]);
}

static void add_granule(const struct candidate_graph *g, uint32_t granule, struct relations *r)
{
    add_coherence(g, granule, r);
    for (uint32_t i = 0; i < g->count; i++)
        if (g->events[i].kind == 'R' && covers(&g->events[i], (int)granule))
            add_read(g, granule, i, r);
}

/* `place`: only that granule, or CANDIDATE_NONE for all */
static void build(const struct candidate_graph *g, int place, struct relations *r)
{
    memset(r, 0, sizeof *r);
    r->n = g->count;
    r->all = g->count == 64 ? UINT64_MAX : (UINT64_C(1) << g->count) - 1;
    r->po = r->rf = r->mo = r->fr = r->rmw = r->sync = empty(r->n);
    for (uint32_t l = 0; l < CANDIDATE_GRANULES; l++)
        if (place == CANDIDATE_NONE || place == (int)l)
            add_granule(g, l, r);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct candidate_event *e = &g->events[i];
        for (uint32_t j = 0; j < g->count; j++)
            if (in_program_order(e, &g->events[j]))
                add(&r->po, i, j);
        if (e->kind == 'W' && e->read != CANDIDATE_NONE)
            add(&r->rmw, (uint32_t)e->read, i);
        if ((e->kind == 'B' || e->kind == 'J') && e->from[0] != CANDIDATE_NONE)
            add(&r->sync, (uint32_t)e->from[0], i);
    }
}

/* eco = (rf | mo | fr)+ of one granule */
static struct relation eco_at(const struct candidate_graph *g, uint32_t granule)
{
    struct relations r = {.rf = empty(g->count), .mo = empty(g->count), .fr = empty(g->count)};
    add_granule(g, granule, &r);
    return closure(join3(r.rf, &r.mo, &r.fr));
}

/* The same granule of both: what is at one place. */
static bool same_place(const struct candidate_graph *g, uint32_t i, uint32_t j)
{
    const struct candidate_event *a = &g->events[i], *b = &g->events[j];
    return a->location != CANDIDATE_NONE && b->location != CANDIDATE_NONE &&
           a->granule < b->granule + b->granules && b->granule < a->granule + a->granules;
}

static uint64_t set_of(const struct candidate_graph *g, bool (*member)(const struct candidate_event *e))
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < g->count; i++)
        if (member(&g->events[i]))
            set |= UINT64_C(1) << i;
    return set;
}

/* ---- atomicity, coherence at one location ---- */

static bool is_atomic_at(const struct candidate_graph *g, uint32_t granule)
{
    for (uint32_t k = 1; k < g->order_length[granule]; k++) {
        int8_t read = g->events[g->order[granule][k]].read;
        if (read != CANDIDATE_NONE &&
            g->events[read].from[(int)granule - g->events[read].granule] != g->order[granule][k - 1])
            return false;
    }
    return true;
}

bool axioms_coherent_at(const struct candidate_graph *g, uint32_t granule)
{
    if (!is_atomic_at(g, granule))
        return false;
    struct relations r;
    build(g, (int)granule, &r);
    struct relation eco = closure(join3(r.rf, &r.mo, &r.fr));
    struct relation around = compose(&r.po, &eco);
    return is_irreflexive(&around);
}

/* ---- sequential consistency ---- */

static bool is_sc_consistent(const struct relations *r)
{
    return is_acyclic(join(join3(join(r->po, &r->rf), &r->mo, &r->fr), &r->sync));
}

/* ---- TSO ---- */

static bool tso_left(const struct candidate_event *e) /* nothing later overtakes it */
{
    bool is_fence = e->kind == 'F' && e->order == ORDER_SEQ_CST;
    bool fence_follows = e->kind == 'W' && e->order == ORDER_SEQ_CST;
    return e->kind == 'R' || is_fence || e->locked || fence_follows || e->kind == 'B' || e->kind == 'J';
}

static bool tso_right(const struct candidate_event *e) /* it overtakes nothing earlier */
{
    bool is_fence = e->kind == 'F' && e->order == ORDER_SEQ_CST;
    return e->kind == 'W' || is_fence || e->locked || e->kind == 'C' || e->kind == 'E';
}

/* rf between threads */
static struct relation external(const struct candidate_graph *g, const struct relations *r)
{
    struct relation rfe = empty(r->n);
    for (uint32_t i = 0; i < r->n; i++)
        for (uint32_t j = 0; j < r->n; j++)
            if (has(&r->rf, i, j) && g->events[i].thread != g->events[j].thread)
                add(&rfe, i, j);
    return rfe;
}

/* For each granule: program order of what covers it, rf, mo and fr have no cycle. */
static bool is_locally_ordered(const struct candidate_graph *g, const struct relations *r)
{
    for (uint32_t granule = 0; granule < CANDIDATE_GRANULES; granule++) {
        struct relation local = eco_at(g, granule);
        for (uint32_t i = 0; i < r->n; i++)
            for (uint32_t j = 0; j < r->n; j++)
                if (has(&r->po, i, j) && covers(&g->events[i], (int)granule) &&
                    covers(&g->events[j], (int)granule))
                    add(&local, i, j);
        if (!is_acyclic(local))
            return false;
    }
    return true;
}

static bool is_tso_consistent(const struct candidate_graph *g, const struct relations *r)
{
    struct relation rfe = external(g, r);
    if (!is_locally_ordered(g, r))
        return false;
    struct relation first = between(set_of(g, tso_left), r->po, r->all);
    struct relation second = between(r->all, r->po, set_of(g, tso_right));
    struct relation ppo = join(first, &second);
    return is_acyclic(join(join3(join(ppo, &rfe), &r->mo, &r->fr), &r->sync));
}

/* ---- RC11 ---- */

static bool has_release_order(const struct candidate_event *e)
{
    return e->order == ORDER_RELEASE || e->order == ORDER_ACQ_REL || e->order == ORDER_SEQ_CST;
}

static bool has_acquire_order(const struct candidate_event *e)
{
    return e->order == ORDER_ACQUIRE || e->order == ORDER_CONSUME || e->order == ORDER_ACQ_REL ||
           e->order == ORDER_SEQ_CST;
}

static bool release_write(const struct candidate_event *e)
{
    return e->kind == 'W' && has_release_order(e);
}

static bool release_fence(const struct candidate_event *e)
{
    return e->kind == 'F' && has_release_order(e);
}

static bool acquire_read(const struct candidate_event *e)
{
    return e->kind == 'R' && has_acquire_order(e);
}

static bool acquire_fence(const struct candidate_event *e)
{
    return e->kind == 'F' && has_acquire_order(e);
}

static bool sc_fence(const struct candidate_event *e)
{
    return e->kind == 'F' && e->order == ORDER_SEQ_CST;
}

static bool sc_event(const struct candidate_event *e)
{
    return (e->kind == 'F' || e->kind == 'R' || e->kind == 'W') && e->order == ORDER_SEQ_CST;
}

static bool any_read(const struct candidate_event *e)
{
    return e->kind == 'R';
}

static struct relation filter_location(const struct candidate_graph *g, struct relation r, bool same)
{
    for (uint32_t i = 0; i < r.n; i++)
        for (uint32_t j = 0; j < r.n; j++)
            if (has(&r, i, j) && same_place(g, i, j) != same)
                r.row[i] &= ~(UINT64_C(1) << j);
    return r;
}

/* Stores of one thread to one place, one after the other */
static struct relation later_stores(const struct candidate_graph *g, const struct relations *r)
{
    return filter_location(g, between(set_of(g, is_write), r->po, set_of(g, is_write)), true);
}

/* rs = (rf;rmw)*; in C11 [W];(po|loc)?;[W];(rf;rmw)* */
static struct relation release_sequences(const struct candidate_graph *g, const struct relations *r, bool c11)
{
    struct relation step = compose(&r->rf, &r->rmw);
    struct relation rs = reflexive(closure(step)); /* reads and writes alike; harmless, rf follows */
    struct relation later = reflexive(later_stores(g, r));
    return c11 ? compose(&later, &rs) : rs;
}

/* sw = [REL];([F];po)?;rs;rf;(po;[F])?;[ACQ] */
static struct relation synchronizes_with(const struct candidate_graph *g, const struct relations *r, bool c11)
{
    struct relation rs = release_sequences(g, r, c11);
    struct relation head = identity(r->n, set_of(g, release_write));
    struct relation fenced = between(set_of(g, release_fence), r->po, set_of(g, is_write));
    head = join(head, &fenced);
    struct relation tail = identity(r->n, set_of(g, acquire_read));
    struct relation until_fence = between(set_of(g, any_read), r->po, set_of(g, acquire_fence));
    tail = join(tail, &until_fence);
    struct relation sw = compose(&head, &rs);
    sw = compose(&sw, &r->rf);
    return compose(&sw, &tail);
}

static bool is_psc_acyclic(const struct candidate_graph *g, const struct relations *r,
                           const struct relation *hb, const struct relation *eco)
{
    uint64_t fences = set_of(g, sc_fence);
    struct relation sc = identity(r->n, set_of(g, sc_event));
    struct relation f = identity(r->n, fences);
    struct relation other = filter_location(g, r->po, false);
    struct relation hb_loc = filter_location(g, *hb, true);
    struct relation hb_maybe = reflexive(*hb);

    struct relation detour = compose(&other, hb);
    detour = compose(&detour, &other);
    struct relation scb = join(join3(join(r->po, &detour), &hb_loc, &r->mo), &r->fr);

    struct relation left = compose(&f, &hb_maybe);
    left = join(left, &sc);
    struct relation right = compose(&hb_maybe, &f);
    right = join(right, &sc);
    struct relation base = compose(&left, &scb);
    base = compose(&base, &right);

    struct relation through = compose(hb, eco);
    through = compose(&through, hb);
    struct relation psc_f = between(fences, join(*hb, &through), fences);
    return is_acyclic(join(base, &psc_f));
}

/* Single-copy atomicity: but for own stores read early, all accesses see one history of states. Other models imply it. */
static bool is_single_copy_atomic(const struct candidate_graph *g, const struct relations *r)
{
    struct relation rfe = external(g, r);
    return is_acyclic(join3(r->mo, &rfe, &r->fr));
}

static bool is_rc11_consistent(const struct candidate_graph *g, const struct relations *r, bool c11)
{
    struct relation sw = synchronizes_with(g, r, c11);
    struct relation hb = closure(join3(r->po, &sw, &r->sync));
    struct relation eco = empty(r->n);
    for (uint32_t granule = 0; granule < CANDIDATE_GRANULES; granule++) {
        struct relation here = eco_at(g, granule);
        eco = join(eco, &here);
    }
    struct relation eco_maybe = reflexive(eco);
    struct relation around = compose(&hb, &eco_maybe);
    return is_irreflexive(&around) && is_acyclic(join3(r->po, &r->rf, &r->sync)) &&
           is_single_copy_atomic(g, r) && is_psc_acyclic(g, r, &hb, &eco);
}

unsigned axioms_consistent(const struct candidate_graph *g)
{
    for (uint32_t l = 0; l < CANDIDATE_GRANULES; l++)
        if (!is_atomic_at(g, l))
            return 0;
    struct relations r;
    build(g, CANDIDATE_NONE, &r);
    unsigned models = 0;
    models |= is_sc_consistent(&r) ? 1u << ORACLE_SC : 0;
    models |= is_tso_consistent(g, &r) ? 1u << ORACLE_TSO : 0;
    models |= is_rc11_consistent(g, &r, false) ? 1u << ORACLE_RC11 : 0;
    models |= is_rc11_consistent(g, &r, true) ? 1u << ORACLE_C11 : 0;
    return models;
}
