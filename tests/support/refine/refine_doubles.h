/* SPDX-License-Identifier: Apache-2.0 */
/* Systems written in C instead of a model language: containers whose operations are a call, one or two steps, and a return.
 * What they do is a table, so that random tables are random objects. */
#ifndef TESTS_REFINE_DOUBLES_H
#define TESTS_REFINE_DOUBLES_H

#include "refine/system.h"

#include <string.h>

enum { DOUBLE_CELLS = 32, DOUBLE_ADD = 0, DOUBLE_REMOVE = 1 };

/* A list of items. With `count` of them inside: */
struct double_table {
    uint32_t capacity;
    bool splits;                   /* a removal reads the item in one step and takes it away in another */
    uint8_t put_at[DOUBLE_CELLS];  /* where an item is put; more than count: at the end */
    bool sorted;                   /* items are put where they belong by their order */
    uint32_t takes[DOUBLE_CELLS];  /* which items can be removed, as bits */
    bool says_empty[DOUBLE_CELLS]; /* a removal may find nothing */
    bool says_full[DOUBLE_CELLS];  /* an addition may find no room */
    bool loses[DOUBLE_CELLS];      /* an addition may forget its item */
    /* A ring of segments instead; 0: not. */
    uint32_t factor, segments;
    bool wrong_segment; /* removals may take from the second segment */
    bool only_adds;     /* nobody removes */
};

struct double_system {
    struct refine_system system; /* first */
    struct double_table table;
    struct refine_location locations[DOUBLE_CELLS + 2 * REFINE_THREADS_MAX];
    uint32_t offsets[REFINE_THREADS_MAX];
    const char *ops[2];
};

/* The state: `first`, `last` and `filled` of rings, or the count; cells; then for each thread where it is, its item, its
 * answer. */
enum { AT_FIRST, AT_LAST, AT_FILLED, AT_CELLS };
enum { AT_PC, AT_ITEM, AT_ANSWER, THREAD_SIZE };
enum { PC_IDLE, PC_ADD, PC_REMOVE, PC_REMOVE_NOW, PC_ADDED, PC_REMOVED };

struct double_steps {
    const struct double_system *d;
    const uint8_t *state;
    unsigned thread;
    struct refine_steps *out;
};

static inline uint8_t *double_next(const struct double_steps *x, struct refine_step step)
{
    uint32_t size = x->d->system.state_size;
    step.thread = (uint8_t)x->thread;
    vec_push(&x->out->steps, step);
    vec_reserve(&x->out->states, x->out->states.len + size);
    memcpy(x->out->states.data + x->out->states.len, x->state, size);
    x->out->states.len += size;
    return x->out->states.data + x->out->states.len - size;
}

static inline uint8_t *double_part(const struct double_steps *x, uint8_t *state)
{
    return state + x->d->offsets[x->thread];
}

/* An internal step after which the operation returns. */
static inline uint8_t *double_effect(const struct double_steps *x, uint8_t op, uint8_t answer)
{
    struct refine_step step = {.kind = REFINE_INTERNAL, .op = op, .has_point = true, .point = answer};
    uint8_t *next = double_next(x, step);
    double_part(x, next)[AT_PC] = op == DOUBLE_ADD ? PC_ADDED : PC_REMOVED;
    if (op == DOUBLE_ADD)
        double_part(x, next)[AT_ITEM] = REFINE_NONE;
    else
        double_part(x, next)[AT_ITEM] = answer;
    double_part(x, next)[AT_ANSWER] = op == DOUBLE_ADD ? answer : 0;
    return next;
}

/* --- lists ------------------------------------------------------------------------------------------------ */

static inline void double_add_to_list(const struct double_steps *x, uint8_t item)
{
    const struct double_table *t = &x->d->table;
    unsigned count = x->state[AT_FIRST];
    if (t->says_full[count] || count == t->capacity)
        double_effect(x, DOUBLE_ADD, REFINE_FULL);
    if (count == t->capacity)
        return;
    if (t->loses[count])
        double_effect(x, DOUBLE_ADD, REFINE_OK);
    uint8_t *next = double_effect(x, DOUBLE_ADD, REFINE_OK), *cells = next + AT_CELLS;
    unsigned at = t->put_at[count] < count ? t->put_at[count] : count;
    for (at = t->sorted ? 0 : at; t->sorted && at < count && cells[at] < item; at++)
        continue;
    memmove(cells + at + 1, cells + at, count - at);
    cells[at] = item;
    next[AT_FIRST]++;
}

static inline void double_drop(uint8_t *state, unsigned at)
{
    unsigned count = state[AT_FIRST]--;
    memmove(state + AT_CELLS + at, state + AT_CELLS + at + 1, count - at - 1);
    state[AT_CELLS + count - 1] = REFINE_NONE;
}

static inline void double_remove_from_list(const struct double_steps *x)
{
    const struct double_table *t = &x->d->table;
    unsigned count = x->state[AT_FIRST];
    if (!count || t->says_empty[count])
        double_effect(x, DOUBLE_REMOVE, REFINE_NONE);
    for (unsigned i = 0; i < count; i++) {
        if (!(t->takes[count] >> i & 1))
            continue;
        if (t->splits) {
            uint8_t *next = double_next(x, (struct refine_step){.kind = REFINE_INTERNAL});
            double_part(x, next)[AT_PC] = PC_REMOVE_NOW;
            double_part(x, next)[AT_ITEM] = x->state[AT_CELLS + i];
        } else {
            double_drop(double_effect(x, DOUBLE_REMOVE, x->state[AT_CELLS + i]), i);
        }
    }
}

/* The item was read before. */
static inline void double_remove_now(const struct double_steps *x, uint8_t item)
{
    unsigned count = x->state[AT_FIRST], i = 0;
    while (i < count && x->state[AT_CELLS + i] != item)
        i++;
    uint8_t *next = double_effect(x, DOUBLE_REMOVE, item);
    if (i < count)
        double_drop(next, i);
}

/* --- rings of segments ------------------------------------------------------------------------------------ */

static inline void double_add_to_ring(const struct double_steps *x, uint8_t item)
{
    const struct double_table *t = &x->d->table;
    unsigned width = t->factor + 1, last = x->state[AT_LAST], filled = x->state[AT_FILLED];
    if (filled == width && (last + 1) % t->segments == x->state[AT_FIRST]) {
        double_effect(x, DOUBLE_ADD, REFINE_FULL);
        return;
    }
    if (filled == width) {
        last = (last + 1) % t->segments;
        filled = 0;
    }
    uint8_t *next = double_effect(x, DOUBLE_ADD, REFINE_OK);
    next[AT_CELLS + last * width + filled] = item;
    next[AT_LAST] = (uint8_t)last;
    next[AT_FILLED] = (uint8_t)(filled + 1);
}

static inline bool double_is_empty_segment(const uint8_t *cells, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        if (cells[i])
            return false;
    return true;
}

static inline unsigned double_take_from(const struct double_steps *x, unsigned segment)
{
    const struct double_table *t = &x->d->table;
    unsigned width = t->factor + 1, found = 0;
    for (unsigned i = 0; i < width; i++) {
        uint8_t item = x->state[AT_CELLS + segment * width + i];
        if (!item)
            continue;
        found++;
        uint8_t *next = double_effect(x, DOUBLE_REMOVE, item);
        next[AT_CELLS + segment * width + i] = REFINE_NONE;
        unsigned first = next[AT_FIRST];
        if (!double_is_empty_segment(next + AT_CELLS + first * width, width))
            continue;
        if (first != next[AT_LAST])
            next[AT_FIRST] = (uint8_t)((first + 1) % t->segments);
        else if (next[AT_FILLED] == width)
            next[AT_FILLED] = 0;
    }
    return found;
}

static inline void double_remove_from_ring(const struct double_steps *x)
{
    const struct double_table *t = &x->d->table;
    if (!double_take_from(x, x->state[AT_FIRST]))
        double_effect(x, DOUBLE_REMOVE, REFINE_NONE);
    if (t->wrong_segment && x->state[AT_FIRST] != x->state[AT_LAST])
        double_take_from(x, (x->state[AT_FIRST] + 1) % t->segments);
}

/* --- the system -------------------------------------------------------------------------------------------- */

static inline void double_call(const struct double_steps *x, uint8_t op)
{
    struct refine_step step = {.kind = REFINE_CALL, .op = op};
    if (op == DOUBLE_ADD) {
        step.arg_count = 1;
        step.args[0] = (uint16_t)(x->d->system.location_count - x->d->system.threads + x->thread);
    }
    double_part(x, double_next(x, step))[AT_PC] = op == DOUBLE_ADD ? PC_ADD : PC_REMOVE;
}

static inline void double_return(const struct double_steps *x, uint8_t op, int32_t value)
{
    uint8_t *next = double_next(x, (struct refine_step){.kind = REFINE_RETURN, .op = op, .value = value});
    memset(double_part(x, next), 0, THREAD_SIZE);
}

static inline void double_steps_of(const struct refine_system *s, const uint8_t *state,
                                   struct refine_steps *out)
{
    const struct double_system *d = (const struct double_system *)s;
    for (unsigned t = 0; t < s->threads; t++) {
        struct double_steps x = {d, state, t, out};
        const uint8_t *part = state + d->offsets[t];
        bool ring = d->table.segments > 0;
        switch (part[AT_PC]) {
        case PC_IDLE:
            double_call(&x, DOUBLE_ADD);
            if (!d->table.only_adds)
                double_call(&x, DOUBLE_REMOVE);
            break;
        case PC_ADD: (ring ? double_add_to_ring : double_add_to_list)(&x, part[AT_ITEM]); break;
        case PC_REMOVE: (ring ? double_remove_from_ring : double_remove_from_list)(&x); break;
        case PC_REMOVE_NOW: double_remove_now(&x, part[AT_ITEM]); break;
        case PC_ADDED: double_return(&x, DOUBLE_ADD, part[AT_ANSWER]); break;
        default: double_return(&x, DOUBLE_REMOVE, part[AT_ITEM]);
        }
    }
}

static inline void double_initial(const struct refine_system *s, uint8_t *state)
{
    memset(state, 0, s->state_size);
}

static inline void double_init(struct double_system *d, const struct double_table *table, unsigned threads,
                               const char *add, const char *remove)
{
    unsigned cells = table->segments ? (table->factor + 1) * table->segments : table->capacity;
    *d = (struct double_system){.table = *table, .ops = {add, remove}};
    for (unsigned i = 0; i < cells; i++)
        d->locations[i] = (struct refine_location){AT_CELLS + i, 1, true};
    for (unsigned t = 0; t < threads; t++) {
        d->offsets[t] = AT_CELLS + cells + t * THREAD_SIZE;
        d->locations[cells + t] = (struct refine_location){d->offsets[t] + AT_ITEM, 1, true};
    }
    d->system = (struct refine_system){
        .name = "double",
        .state_size = AT_CELLS + cells + threads * THREAD_SIZE,
        .threads = threads,
        .ops = d->ops,
        .op_count = 2,
        .locations = d->locations,
        .location_count = cells + threads,
        .thread_offsets = d->offsets,
        .thread_size = THREAD_SIZE,
        .symmetric = true,
        .initial = double_initial,
        .steps = double_steps_of,
    };
}

/* A right queue or stack: `takes` the one item. */
static inline struct double_table double_right(unsigned capacity, bool stack)
{
    struct double_table t = {.capacity = capacity};
    for (unsigned i = 1; i < DOUBLE_CELLS; i++)
        t.takes[i] = stack ? 1u << (i - 1) : 1;
    memset(t.put_at, 0xff, sizeof t.put_at);
    return t;
}

#endif
