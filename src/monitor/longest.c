/* SPDX-License-Identifier: Apache-2.0 */
/* The longest legal order of a part that is not linearizable, for explanations. Small
 * parts are searched exhaustively, depth first, every (placed operations, state) once; long
 * ones get the order with which the general search reached the failing return. */
#include "base/check.h"
#include "base/hash.h"
#include "monitor/search.h"
#include "monitor/search_prefix.h"
#include "spec/registry.h"

#include <string.h>

enum {
    LONGEST_OPS = 64,
    LONGEST_NODES = 1 << 18, /* a limit that does not depend on the clock: same input, same explanation */
    NODE_BYTES = 256,
};

/* Visited: these operations placed, this state. */
struct place {
    uint64_t placed;
    void *state;
    uint32_t next; /* with the same hash, or HASH_NO_NUMBER */
};

struct longest {
    const struct part *part;
    const struct plumb_spec *spec;
    struct budget *budget;
    uint32_t count, completed;
    uint32_t ops[LONGEST_OPS];    /* completed operations by call, then pending ones */
    uint64_t before[LONGEST_OPS]; /* what has to be placed before each of them */
    struct plumb_call calls[LONGEST_OPS];
    uint32_t path[LONGEST_OPS], best[LONGEST_OPS];
    uint32_t depth, best_depth, best_completed;
    VEC(struct place) places;
    struct hash_map by_hash;
};

static void list_ops(struct longest *l)
{
    const struct order *o = &l->part->order;
    for (int pending = 0; pending < 2; pending++) {
        for (uint32_t e = 0; e < o->event_count; e++) {
            uint32_t op = order_event_op(o->event[e]);
            if (!order_event_returns(o->event[e]) && (o->ret[op] == ORDER_NEVER) == pending)
                l->ops[l->count++] = op;
        }
        if (!pending)
            l->completed = l->count;
    }
}

static void find_predecessors(struct longest *l)
{
    const struct order *o = &l->part->order;
    for (uint32_t x = 0; x < l->count; x++) {
        l->calls[x] = part_call(l->part, l->ops[x]);
        for (uint32_t y = 0; y < l->count; y++) {
            bool precedes = o->ret[l->ops[y]] < o->call[l->ops[x]];
            if (precedes || (o->after && o->after[l->ops[x]] == l->ops[y]))
                l->before[x] |= (uint64_t)1 << y;
        }
    }
}

static size_t place_bytes(const struct longest *l, const void *state)
{
    return sizeof(struct place) + 32 + (l->spec->footprint ? l->spec->footprint(state) : NODE_BYTES);
}

/* Notes a place and owns its state then. False: it was known, and the state is destroyed. */
static bool note_place(struct longest *l, uint64_t placed, void *state)
{
    uint32_t *first = hash_map_at(&l->by_hash, hash_combine(l->spec->hash(state), placed));
    for (uint32_t i = *first; i != HASH_NO_NUMBER; i = l->places.data[i].next) {
        const struct place *known = &l->places.data[i];
        if (known->placed == placed && l->spec->equal(known->state, state)) {
            l->spec->destroy(state);
            return false;
        }
    }
    struct place fresh = {placed, state, *first};
    *first = (uint32_t)l->places.len;
    vec_push(&l->places, fresh);
    budget_charge(l->budget, place_bytes(l, state));
    return true;
}

static bool is_over(struct longest *l)
{
    return l->best_completed == l->completed || l->places.len >= LONGEST_NODES || budget_exhausted(l->budget);
}

static void record_best(struct longest *l, uint64_t placed)
{
    uint64_t completed = l->completed == 64 ? UINT64_MAX : ((uint64_t)1 << l->completed) - 1;
    uint32_t count = (uint32_t)__builtin_popcountll(placed & completed);
    if (count <= l->best_completed)
        return;
    l->best_completed = count;
    l->best_depth = l->depth;
    memcpy(l->best, l->path, l->depth * sizeof *l->path);
}

static void visit(struct longest *l, uint64_t placed, const void *state);

static void try_op(struct longest *l, uint64_t placed, const void *state, uint32_t x)
{
    uint64_t now_placed = placed | (uint64_t)1 << x;
    for (unsigned choice = 0; !is_over(l); choice++) {
        void *next = l->spec->clone(state);
        if (!l->spec->step(next, &l->calls[x], choice, NULL)) {
            l->spec->destroy(next);
            return;
        }
        if (x >= l->completed && l->spec->equal(next, state)) {
            l->spec->destroy(next);
            continue;
        }
        if (!note_place(l, now_placed, next))
            continue;
        l->path[l->depth++] = l->ops[x];
        visit(l, now_placed, next);
        l->depth--;
    }
}

/* At most LONGEST_OPS deep. */
static void visit(struct longest *l, uint64_t placed, const void *state)
{
    record_best(l, placed);
    for (uint32_t x = 0; x < l->count && !is_over(l); x++)
        if (!(placed >> x & 1) && !(l->before[x] & ~placed))
            try_op(l, placed, state, x);
}

static void longest_exhaustive(const struct part *p, const void *initial, struct budget *budget,
                               struct decision *d)
{
    struct longest *l = NEW(struct longest);
    l->part = p;
    l->spec = p->spec;
    l->budget = budget;
    list_ops(l);
    find_predecessors(l);
    void *root = initial ? l->spec->clone(initial) : spec_init(l->spec, p->options);
    note_place(l, 0, root);
    visit(l, 0, root);
    for (uint32_t i = 0; i < l->best_depth; i++)
        vec_push(&d->witness, l->best[i]);
    for (size_t i = 0; i < l->places.len; i++)
        l->spec->destroy(l->places.data[i].state);
    vec_free(&l->places);
    hash_map_free(&l->by_hash);
    free(l);
}

/* Of the operations that could be placed next, the one that has to be first. */
static void find_stuck(const struct part *p, struct decision *d)
{
    const struct order *o = &p->order;
    uint8_t *placed = NEW_ZEROED(uint8_t, o->count);
    for (size_t i = 0; i < d->witness.len; i++)
        placed[d->witness.data[i]] = 1;
    uint32_t stuck = ORDER_NO_OP;
    for (uint32_t i = 0; i < o->count; i++)
        if (!placed[i] && o->ret[i] != ORDER_NEVER && (stuck == ORDER_NO_OP || o->ret[i] < o->ret[stuck]))
            stuck = i;
    while (stuck != ORDER_NO_OP && o->after && o->after[stuck] != ORDER_NO_OP && !placed[o->after[stuck]])
        stuck = o->after[stuck];
    if (stuck != ORDER_NO_OP)
        vec_push(&d->core, stuck);
    free(placed);
}

void search_longest(const struct part *p, const void *initial, struct budget *budget, struct decision *d)
{
    /* An explanation that takes too long is cut short; it must not spend the run's budget. */
    struct budget own = *budget;
    vec_clear(&d->witness);
    vec_clear(&d->core);
    if (p->order.count <= LONGEST_OPS)
        longest_exhaustive(p, initial, &own, d);
    else
        search_prefix(p, initial, &own, d);
    vec_clear(&d->core);
    find_stuck(p, d);
    d->answer = ANSWER_NOT_MINE;
}
