/* SPDX-License-Identifier: Apache-2.0 */
/* Legal orders of a part that is not linearizable, and where they end, for explanations. Small
 * parts are searched exhaustively, depth first, every (placed operations, state) once; long
 * ones get the order with which the general search reached the failing return. */
#include "base/hash.h"
#include "monitor/search/search.h"
#include "spec/registry.h"

#include <string.h>

enum {
    LONGEST_OPS = 64,
    ATTEMPT_OPS = 16, /* for more operations, several orders are no help */
    /* A limit that does not depend on the clock: same input, same explanation */
    LONGEST_NODES = 1 << 18,
    NODE_BYTES = 256,
};

/* Visited: these operations placed, this state. */
struct place {
    uint64_t placed;
    void *state;
    uint32_t next;   /* with the same hash, or HASH_NO_NUMBER */
    uint32_t parent; /* the place it was reached from first; of the root itself */
    uint32_t op;     /* by placing this one */
};

/* The specification has another answer for this operation there. */
struct refusal {
    uint32_t place, op;
};

struct longest {
    const struct part *part;
    const struct plumb_spec *spec;
    struct budget *budget;
    uint32_t count, completed;
    uint32_t ops[LONGEST_OPS];    /* completed operations by call, then pending ones */
    uint64_t before[LONGEST_OPS]; /* what has to be placed before each of them */
    struct plumb_call calls[LONGEST_OPS];
    uint32_t best, best_completed; /* a place, and how many completed operations are placed there */
    VEC(struct place) places;
    VEC(struct refusal) refusals;
    struct hash_map by_hash;
};

/* `untimely`: those that returned after the failure was certain count as completed. */
static void list_ops(struct longest *l, bool untimely)
{
    const struct order *o = &l->part->order;
    for (int pending = 0; pending < 2; pending++) {
        for (uint32_t e = 0; e < o->event_count; e++) {
            uint32_t op = order_event_op(o->event[e]);
            bool is_pending = untimely ? part_op(l->part, op)->pending : o->ret[op] == ORDER_NEVER;
            if (!order_event_returns(o->event[e]) && is_pending == pending)
                l->ops[l->count++] = op;
        }
        if (!pending)
            l->completed = l->count;
    }
}

static bool precedes(const struct part *p, uint32_t a, uint32_t b)
{
    const struct order *o = &p->order;
    return o->ret[a] < o->call[b] || (o->after && o->after[b] == a);
}

/* `untimely`: only the order of each thread counts. */
static void find_predecessors(struct longest *l, bool untimely)
{
    for (uint32_t x = 0; x < l->count; x++) {
        l->calls[x] = part_call(l->part, l->ops[x]);
        for (uint32_t y = 0; y < l->count; y++) {
            bool counts =
                !untimely || part_op(l->part, l->ops[x])->thread == part_op(l->part, l->ops[y])->thread;
            if (counts && precedes(l->part, l->ops[y], l->ops[x]))
                l->before[x] |= (uint64_t)1 << y;
        }
    }
}

static size_t place_bytes(const struct longest *l, const void *state)
{
    return sizeof(struct place) + 32 + (l->spec->footprint ? l->spec->footprint(state) : NODE_BYTES);
}

/* Notes a place, reached from `parent` with `op`, and owns its state then. False: it was known, and the state is destroyed. */
static bool note_place(struct longest *l, uint64_t placed, void *state, uint32_t parent, uint32_t op)
{
    uint32_t *first = hash_map_at(&l->by_hash, hash_combine(l->spec->hash(state), placed));
    for (uint32_t i = *first; i != HASH_NO_NUMBER; i = l->places.data[i].next) {
        const struct place *known = &l->places.data[i];
        if (known->placed == placed && l->spec->equal(known->state, state)) {
            l->spec->destroy(state);
            return false;
        }
    }
    struct place fresh = {placed, state, *first, parent, op};
    *first = (uint32_t)l->places.len;
    vec_push(&l->places, fresh);
    budget_charge(l->budget, place_bytes(l, state));
    return true;
}

static bool is_over(struct longest *l)
{
    return l->best_completed == l->completed || l->places.len >= LONGEST_NODES || budget_exhausted(l->budget);
}

static uint32_t count_completed(const struct longest *l, uint32_t place)
{
    uint64_t completed = l->completed == 64 ? UINT64_MAX : ((uint64_t)1 << l->completed) - 1;
    return (uint32_t)__builtin_popcountll(l->places.data[place].placed & completed);
}

/* How far an order got: completed operations, and then those that returned after the failure was certain. */
static uint32_t length_of(const struct longest *l, uint32_t place)
{
    uint32_t length = (LONGEST_OPS + 1) * count_completed(l, place);
    for (uint32_t x = l->completed; x < l->count; x++)
        length += (l->places.data[place].placed >> x & 1) && !part_op(l->part, l->ops[x])->pending;
    return length;
}

static void record_best(struct longest *l, uint32_t place)
{
    if (place && length_of(l, place) <= length_of(l, l->best))
        return;
    l->best_completed = count_completed(l, place);
    l->best = place;
}

static void visit(struct longest *l, uint32_t place);

static void try_op(struct longest *l, uint32_t place, uint32_t x)
{
    const void *state = l->places.data[place].state;
    uint64_t now_placed = l->places.data[place].placed | (uint64_t)1 << x;
    for (unsigned choice = 0; !is_over(l); choice++) {
        void *next = l->spec->clone(state);
        if (!l->spec->step(next, &l->calls[x], choice, NULL)) {
            l->spec->destroy(next);
            if (!choice && !part_op(l->part, l->ops[x])->pending)
                vec_push(&l->refusals, ((struct refusal){place, l->ops[x]}));
            return;
        }
        if (x >= l->completed && l->spec->equal(next, state)) {
            l->spec->destroy(next);
            continue;
        }
        if (note_place(l, now_placed, next, place, l->ops[x]))
            visit(l, (uint32_t)l->places.len - 1);
    }
}

/* At most LONGEST_OPS deep. */
static void visit(struct longest *l, uint32_t place)
{
    record_best(l, place);
    uint64_t placed = l->places.data[place].placed;
    for (uint32_t x = 0; x < l->count && !is_over(l); x++)
        if (!(placed >> x & 1) && !(l->before[x] & ~placed))
            try_op(l, place, x);
}

/* Visits every place, unless that is too much or a complete order is found. */
static struct longest *walk(const struct part *p, const void *initial, bool untimely, struct budget *budget)
{
    struct longest *l = NEW(struct longest);
    l->part = p;
    l->spec = p->spec;
    l->budget = budget;
    list_ops(l, untimely);
    find_predecessors(l, untimely);
    void *root = initial ? l->spec->clone(initial) : spec_init(l->spec, p->options);
    note_place(l, 0, root, 0, 0);
    visit(l, 0);
    return l;
}

static void free_walk(struct longest *l)
{
    for (size_t i = 0; i < l->places.len; i++)
        l->spec->destroy(l->places.data[i].state);
    vec_free(&l->places);
    vec_free(&l->refusals);
    hash_map_free(&l->by_hash);
    free(l);
}

/* The operations that were placed on the way there. */
static void list_way(const struct longest *l, uint32_t place, search_order *out)
{
    size_t first = out->len;
    for (; place; place = l->places.data[place].parent)
        vec_push(out, l->places.data[place].op);
    for (size_t i = first, k = out->len; i + 1 < k; i++) {
        uint32_t op = out->data[i];
        out->data[i] = out->data[--k];
        out->data[k] = op;
    }
}

static void longest_exhaustive(const struct part *p, const void *initial, struct budget *budget,
                               struct decision *d)
{
    struct longest *l = walk(p, initial, false, budget);
    search_order way = {0};
    list_way(l, l->best, &way);
    for (size_t i = 0; i < way.len; i++)
        vec_push(&d->witness, way.data[i]);
    vec_free(&way);
    free_walk(l);
}

/* Of the operations that could be placed next, the one that has to be first. */
static void find_stuck(const struct part *p, struct decision *d)
{
    const struct order *o = &p->order;
    OWNED uint8_t *placed = NEW_ZEROED(uint8_t, o->count);
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
}

void search_longest(const struct part *p, const void *initial, struct budget *budget, struct decision *d)
{
    /* An explanation that takes too long is cut short; it must not spend the run's budget. */
    struct budget own = *budget;
    vec_clear(&d->witness);
    vec_clear(&d->core);
    bool found = true;
    if (p->order.count <= LONGEST_OPS)
        longest_exhaustive(p, initial, &own, d);
    else if (search_has_many_pending(p))
        found = search_prefix_quickly(p, initial, &own, d);
    else
        search_prefix(p, initial, &own, d);
    vec_clear(&d->core);
    if (found)
        find_stuck(p, d);
    d->verdict = VERDICT_NONE;
}

/* ------------------------------------------------------------------ all the ways to fail */

/* The longest ones first; of two equally long ones that which was found first. */
static uint32_t next_refusal(const struct longest *l, const uint8_t *reported)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t k = 0; k < l->refusals.len; k++)
        if (!reported[k] && (best == UINT32_MAX || length_of(l, l->refusals.data[k].place) >
                                                       length_of(l, l->refusals.data[best].place)))
            best = k;
    return best;
}

static void list_attempts(const struct longest *l, uint32_t most, struct search_attempts *out)
{
    OWNED uint8_t *reported = NEW_ZEROED(uint8_t, l->refusals.len + 1);
    for (uint32_t k; out->list.len < most && (k = next_refusal(l, reported)) != UINT32_MAX;) {
        struct search_attempt attempt = {.refused = l->refusals.data[k].op};
        list_way(l, l->refusals.data[k].place, &attempt.order);
        vec_push(&out->list, attempt);
        reported[k] = 1;
    }
    out->are_all = l->refusals.len == out->list.len && l->places.len < LONGEST_NODES &&
                   l->budget->spent == BUDGET_LEFT && l->best_completed < l->completed;
}

/* A complete order that disagrees with time only, and the first two operations that are the wrong way round. */
static void find_untimely(const struct longest *l, struct search_attempts *out)
{
    const struct place *end = &l->places.data[l->best];
    if (l->best_completed < l->completed || (l->spec->accept && !l->spec->accept(end->state)))
        return;
    list_way(l, l->best, &out->untimely);
    const uint32_t *order = out->untimely.data;
    for (size_t i = 0; i < out->untimely.len; i++)
        for (size_t k = i + 1; k < out->untimely.len; k++)
            if (precedes(l->part, order[k], order[i])) {
                out->too_early = order[i];
                out->too_late = order[k];
                return;
            }
    vec_clear(&out->untimely);
}

void search_attempts(const struct part *p, const void *initial, struct budget *budget, uint32_t most,
                     struct search_attempts *out)
{
    *out = (struct search_attempts){0};
    for (int untimely = 0; untimely < 2 && p->order.count <= ATTEMPT_OPS; untimely++) {
        struct budget own = *budget;
        struct longest *l = walk(p, initial, untimely, &own);
        if (untimely)
            find_untimely(l, out);
        else
            list_attempts(l, most, out);
        free_walk(l);
    }
}

void search_attempts_free(struct search_attempts *a)
{
    for (size_t i = 0; i < a->list.len; i++)
        vec_free(&a->list.data[i].order);
    vec_free(&a->list);
    vec_free(&a->untimely);
}
