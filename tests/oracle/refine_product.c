/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/refine_product.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS = 12, OWED = 6 };

enum status { IDLE, CALLED, DONE };

struct thread_part {
    uint8_t status, op, arg, result;
};

/* Removals that one side has done and the other has not: what they answered, and how many removals ago. */
struct owed {
    uint8_t count, value[OWED], age[OWED];
};

/* One thing that the specification can have done. Compared as bytes: what is not used is zero. */
struct element {
    uint8_t count, items[ITEMS];
    struct owed ahead;  /* answered by the system, not yet by the specification */
    struct owed behind; /* the other way round */
    struct thread_part threads[REFINE_THREADS_MAX];
};

typedef VEC(struct element) element_set;

struct pair {
    uint8_t *state;
    element_set set;
    uint64_t hash;
    uint32_t steps;
};

struct product {
    const struct refine_oracle_question *q;
    const struct refine_system *sys;
    uint32_t factor;
    bool outgrown;
    VEC(struct pair) pairs;
    struct refine_product_answer answer;
};

/* --- the specification ------------------------------------------------------------------------------------------- */

static bool is_kind(const struct product *p, const char *spec)
{
    return strcmp(p->q->spec, spec) == 0;
}

static bool is_addition(const struct product *p, uint8_t op)
{
    const char *name = p->sys->ops[op];
    return strcmp(name, "enq") == 0 || strcmp(name, "push") == 0 || strcmp(name, "insert") == 0;
}

static void add_item(struct product *p, struct element *e, uint8_t item)
{
    if (e->count == ITEMS) {
        p->outgrown = true;
        return;
    }
    uint8_t at = e->count++;
    for (; is_kind(p, "pqueue") && at > 0 && e->items[at - 1] > item; at--)
        e->items[at] = e->items[at - 1];
    e->items[at] = item;
}

/* What has to be removed next; there is something. */
static uint8_t remove_item(const struct product *p, struct element *e)
{
    uint8_t at = is_kind(p, "stack") ? e->count - 1 : 0, item = e->items[at];
    memmove(e->items + at, e->items + at + 1, (size_t)(e->count - at - 1));
    e->items[--e->count] = 0;
    return item;
}

/* --- removals that are owed -------------------------------------------------------------------------------------- */

static bool grow_older(const struct product *p, struct owed *o)
{
    for (uint8_t i = 0; i < o->count && i < OWED; i++)
        if (++o->age[i] > p->factor)
            return false;
    return true;
}

/* The oldest one with the value is settled. */
static bool settle(struct owed *o, uint8_t value)
{
    uint8_t oldest = OWED;
    for (uint8_t i = 0; i < o->count; i++)
        if (o->value[i] == value && (oldest == OWED || o->age[i] > o->age[oldest]))
            oldest = i;
    if (oldest == OWED)
        return false;
    o->count--;
    for (uint8_t i = oldest; i < o->count; i++) {
        o->value[i] = o->value[i + 1];
        o->age[i] = o->age[i + 1];
    }
    o->value[o->count] = o->age[o->count] = 0;
    return true;
}

static void owe(struct product *p, struct owed *o, uint8_t value)
{
    if (o->count == OWED) {
        p->outgrown = true;
        return;
    }
    o->value[o->count] = value;
    o->age[o->count++] = 0;
}

/* The system removes `value` while the specification removes what is next. */
static bool remove_relaxed(struct product *p, struct element *e, uint8_t value)
{
    if (e->count == 0 || !grow_older(p, &e->ahead) || !grow_older(p, &e->behind))
        return false;
    if (!settle(&e->behind, value))
        owe(p, &e->ahead, value);
    uint8_t next = remove_item(p, e);
    if (!settle(&e->ahead, next))
        owe(p, &e->behind, next);
    return true;
}

/* Can further removals settle everything? */
static bool is_alive(struct product *p, const struct element *e, uint32_t left)
{
    if (e->ahead.count == 0 && e->behind.count == 0)
        return true;
    for (uint8_t v = 1; left > 0 && v <= p->q->free_values; v++) {
        struct element next = *e;
        if (remove_relaxed(p, &next, v) && is_alive(p, &next, left - 1))
            return true;
    }
    return false;
}

/* --- sets ---------------------------------------------------------------------------------------------------------- */

static void put(element_set *set, const struct element *e)
{
    for (size_t i = 0; i < set->len; i++)
        if (memcmp(&set->data[i], e, sizeof *e) == 0)
            return;
    vec_push(set, *e);
}

static void put_done(struct product *p, element_set *set, struct element e, uint32_t thread, uint8_t result)
{
    e.threads[thread].status = DONE;
    e.threads[thread].arg = 0;
    e.threads[thread].result = result;
    if (is_alive(p, &e, p->factor))
        put(set, &e);
}

/* The thread's operation takes effect, in every way it can. */
static void take_effect(struct product *p, element_set *set, const struct element *e, uint32_t thread)
{
    const struct thread_part *t = &e->threads[thread];
    struct element next = *e;
    if (is_addition(p, t->op)) {
        bool is_full = p->q->capacity && e->count == p->q->capacity;
        if (!is_full)
            add_item(p, &next, t->arg);
        if (!is_full || p->q->full == ORACLE_FULL_CAPACITY)
            put_done(p, set, next, thread, is_full ? REFINE_FULL : REFINE_OK);
        return;
    }
    if (e->count == 0)
        put_done(p, set, next, thread, REFINE_NONE);
    for (uint8_t v = 1; v <= p->q->free_values; v++) {
        next = *e;
        if (remove_relaxed(p, &next, v))
            put_done(p, set, next, thread, v);
    }
}

static void close_set(struct product *p, element_set *set)
{
    for (size_t i = 0; i < set->len; i++)
        for (uint32_t t = 0; t < p->sys->threads; t++)
            if (set->data[i].threads[t].status == CALLED) {
                struct element e = set->data[i];
                take_effect(p, set, &e, t);
            }
}

static element_set after_call(struct product *p, const element_set *from, const struct refine_step *step,
                              uint8_t arg)
{
    element_set set = {0};
    for (size_t i = 0; i < from->len; i++) {
        struct element e = from->data[i];
        e.threads[step->thread] = (struct thread_part){CALLED, step->op, arg, 0};
        put(&set, &e);
    }
    close_set(p, &set);
    return set;
}

static element_set after_return(const struct product *p, const element_set *from,
                                const struct refine_step *step)
{
    element_set set = {0};
    for (size_t i = 0; i < from->len; i++) {
        struct element e = from->data[i];
        struct thread_part *t = &e.threads[step->thread];
        bool refused = step->value == REFINE_FULL && p->q->full == ORACLE_FULL_ANY;
        bool agrees = refused ? t->status == CALLED : t->status == DONE && t->result == step->value;
        if (!agrees)
            continue;
        *t = (struct thread_part){0};
        put(&set, &e);
    }
    return set;
}

/* --- pairs --------------------------------------------------------------------------------------------------------- */

static int compare_elements(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct element));
}

/* FNV-1a */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
    return hash;
}

static bool is_same_pair(const struct product *p, const struct pair *a, const struct pair *b)
{
    return a->hash == b->hash && a->set.len == b->set.len &&
           memcmp(a->state, b->state, p->sys->state_size) == 0 &&
           memcmp(a->set.data, b->set.data, a->set.len * sizeof *a->set.data) == 0;
}

/* Takes over the set. */
static void reach(struct product *p, const uint8_t *state, element_set set, uint32_t steps)
{
    struct pair n = {.set = set, .steps = steps, .state = malloc(p->sys->state_size + 1)};
    if (!n.state)
        abort();
    memcpy(n.state, state, p->sys->state_size);
    qsort(n.set.data, n.set.len, sizeof *n.set.data, compare_elements);
    n.hash = hash_bytes(0xcbf29ce484222325u, state, p->sys->state_size);
    n.hash = hash_bytes(n.hash, n.set.data, n.set.len * sizeof *n.set.data);
    for (size_t i = 0; i < p->pairs.len; i++) {
        if (!is_same_pair(p, &p->pairs.data[i], &n))
            continue;
        free(n.state);
        vec_free(&n.set);
        return;
    }
    vec_push(&p->pairs, n);
}

static element_set copy(const element_set *from)
{
    element_set set = {0};
    for (size_t i = 0; i < from->len; i++)
        vec_push(&set, from->data[i]);
    return set;
}

static void violate(struct product *p, uint32_t steps)
{
    if (!p->answer.violated)
        p->answer.steps = steps;
    p->answer.violated = true;
}

static void follow_call(struct product *p, size_t from, const struct refine_step *step, uint8_t *state)
{
    uint32_t steps = p->pairs.data[from].steps + 1;
    bool is_free = step->arg_count > 0 && step->args[0] != REFINE_NOWHERE;
    uint32_t most = is_free ? p->q->free_values : 1;
    for (uint32_t v = 1; v <= most; v++) {
        uint8_t arg = step->arg_count == 0 ? 0 : (uint8_t)(is_free ? (int32_t)v : step->constants[0]);
        if (is_free)
            refine_store(&p->sys->locations[step->args[0]], state, (int32_t)v);
        reach(p, state, after_call(p, &p->pairs.data[from].set, step, arg), steps);
    }
}

static void follow(struct product *p, size_t from, const struct refine_step *step, uint8_t *state)
{
    uint32_t steps = p->pairs.data[from].steps + 1;
    if (step->kind == REFINE_CALL) {
        follow_call(p, from, step, state);
    } else if (step->kind == REFINE_RETURN) {
        element_set set = after_return(p, &p->pairs.data[from].set, step);
        if (set.len == 0)
            violate(p, steps);
        else
            reach(p, state, set, steps);
    } else if (step->kind == REFINE_INTERNAL) {
        reach(p, state, copy(&p->pairs.data[from].set), steps);
    } else {
        violate(p, steps);
    }
}

static void start(struct product *p)
{
    element_set set = {0};
    struct element nothing;
    uint8_t *state = calloc(1, p->sys->state_size + 1);
    if (!state)
        abort();
    memset(&nothing, 0, sizeof nothing);
    vec_push(&set, nothing);
    p->sys->initial(p->sys, state);
    reach(p, state, set, 0);
    free(state);
}

static void release(struct product *p)
{
    for (size_t i = 0; i < p->pairs.len; i++) {
        free(p->pairs.data[i].state);
        vec_free(&p->pairs.data[i].set);
    }
    vec_free(&p->pairs);
}

struct refine_product_answer refine_product(const struct refine_oracle_question *q)
{
    const char *equals = q->quasi ? strchr(q->quasi, '=') : NULL;
    struct product p = {.q = q, .sys = q->system, .factor = equals ? (uint32_t)atoi(equals + 1) : 0};
    if (p.factor > OWED || q->free_values == 0)
        abort();
    start(&p);
    for (size_t i = 0; i < p.pairs.len && !p.answer.violated && !p.answer.gave_up; i++) {
        struct refine_steps out = {0};
        p.sys->steps(p.sys, p.pairs.data[i].state, &out);
        for (size_t k = 0; k < out.steps.len; k++)
            follow(&p, i, &out.steps.data[k], out.states.data + k * p.sys->state_size);
        refine_steps_free(&out);
        p.answer.gave_up = p.outgrown || (q->most && p.pairs.len > q->most);
    }
    p.answer.pairs = p.pairs.len;
    release(&p);
    return p.answer;
}
