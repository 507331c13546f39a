/* SPDX-License-Identifier: Apache-2.0 */
#include "random_object.h"

#include <stdlib.h>
#include <string.h>

/* --- as a system ------------------------------------------------------------------------------------------------------ */

/* A state: the number of the contents, then for each thread its phase and the argument or answer. */
enum phase { IDLE, ADDING, REMOVING, ADDED, REMOVED };
enum { THREAD_SIZE = 2 };

static void initial(const struct refine_system *s, uint8_t *state)
{
    memset(state, 0, s->state_size);
}

static uint8_t *push_step(const struct refine_system *s, struct refine_steps *out, const uint8_t *state,
                          struct refine_step step)
{
    vec_push(&out->steps, step);
    vec_reserve(&out->states, out->states.len + s->state_size);
    uint8_t *next = out->states.data + out->states.len;
    out->states.len += s->state_size;
    memcpy(next, state, s->state_size);
    return next;
}

static void push_calls(const struct refine_system *s, struct refine_steps *out, const uint8_t *state,
                       uint8_t t)
{
    struct refine_step call = {.kind = REFINE_CALL, .thread = t, .op = 0, .arg_count = 1, .args = {t}};
    push_step(s, out, state, call)[s->thread_offsets[t]] = ADDING;
    call.op = 1;
    call.arg_count = 0;
    push_step(s, out, state, call)[s->thread_offsets[t]] = REMOVING;
}

static void push_effects(const struct refine_system *s, struct refine_steps *out, const uint8_t *state,
                         uint8_t t)
{
    const struct random_object *o = (const struct random_object *)s;
    uint32_t at = s->thread_offsets[t];
    bool adding = state[at] == ADDING;
    const struct object_entry *e = adding ? &o->add[state[0]][state[at + 1]] : &o->remove[state[0]];
    for (uint32_t i = 0; i < e->count; i++) {
        struct refine_step step = {.kind = REFINE_INTERNAL, .thread = t};
        uint8_t *next = push_step(s, out, state, step);
        next[0] = e->outcomes[i].next;
        next[at] = adding ? ADDED : REMOVED;
        next[at + 1] = e->outcomes[i].result;
    }
}

static void push_return(const struct refine_system *s, struct refine_steps *out, const uint8_t *state,
                        uint8_t t)
{
    uint32_t at = s->thread_offsets[t];
    struct refine_step step = {
        .kind = REFINE_RETURN, .thread = t, .op = state[at] == REMOVED, .value = state[at + 1]};
    memset(push_step(s, out, state, step) + at, 0, THREAD_SIZE);
}

static void steps(const struct refine_system *s, const uint8_t *state, struct refine_steps *out)
{
    for (uint8_t t = 0; t < s->threads; t++) {
        uint8_t phase = state[s->thread_offsets[t]];
        if (phase == IDLE)
            push_calls(s, out, state, t);
        else if (phase == ADDING || phase == REMOVING)
            push_effects(s, out, state, t);
        else
            push_return(s, out, state, t);
    }
}

static struct refine_place describe(const struct refine_system *s, uint32_t place)
{
    (void)s, (void)place;
    return (struct refine_place){0};
}

static void make_system(struct random_object *o, uint32_t threads)
{
    o->system = (struct refine_system){.name = o->spec,
                                       .state_size = 1 + threads * THREAD_SIZE,
                                       .threads = threads,
                                       .ops = o->ops,
                                       .op_count = 2,
                                       .locations = o->args,
                                       .location_count = threads,
                                       .thread_offsets = o->offsets,
                                       .thread_size = THREAD_SIZE,
                                       .symmetric = true,
                                       .initial = initial,
                                       .steps = steps,
                                       .describe = describe};
    for (uint32_t t = 0; t < threads; t++) {
        o->offsets[t] = 1 + t * THREAD_SIZE;
        o->args[t] = (struct refine_location){.offset = o->offsets[t] + 1, .width = 1};
    }
}

/* --- the table ---------------------------------------------------------------------------------------------------------- */

static uint8_t find_contents(struct random_object *o, const struct object_contents *c)
{
    uint8_t i = 0;
    while (i < o->contents_count && memcmp(&o->contents[i], c, sizeof *c) != 0)
        i++;
    if (i == OBJECT_CONTENTS)
        abort();
    if (i == o->contents_count)
        o->contents[o->contents_count++] = *c;
    return i;
}

static void push_outcome(struct object_entry *e, uint8_t next, uint8_t result)
{
    if (e->count < OBJECT_OUTCOMES)
        e->outcomes[e->count++] = (struct object_outcome){next, result};
}

static struct object_contents with_item(const struct random_object *o, struct object_contents c, uint8_t item)
{
    uint8_t at = c.count++;
    for (; strcmp(o->spec, "pqueue") == 0 && at > 0 && c.items[at - 1] > item; at--)
        c.items[at] = c.items[at - 1];
    c.items[at] = item;
    return c;
}

static struct object_contents without_item(struct object_contents c, uint8_t at)
{
    for (c.count--; at < c.count; at++)
        c.items[at] = c.items[at + 1];
    c.items[c.count] = 0;
    return c;
}

/* Contents are numbered as they are met, so that this loop reaches all. A removal takes any of the next `reach`. */
static void fill_table(struct random_object *o, uint32_t reach)
{
    find_contents(o, &(struct object_contents){0});
    for (uint8_t i = 0; i < o->contents_count; i++) {
        struct object_contents c = o->contents[i];
        for (uint8_t v = 1; v <= o->values; v++) {
            struct object_contents more = c;
            if (c.count < o->capacity)
                more = with_item(o, c, v);
            push_outcome(&o->add[i][v], find_contents(o, &more),
                         c.count < o->capacity ? REFINE_OK : REFINE_FULL);
        }
        for (uint8_t k = 0; k < c.count && k < reach; k++) {
            uint8_t at = strcmp(o->spec, "stack") == 0 ? (uint8_t)(c.count - 1 - k) : k;
            struct object_contents less = without_item(c, at);
            push_outcome(&o->remove[i], find_contents(o, &less), c.items[at]);
        }
        if (c.count == 0)
            push_outcome(&o->remove[i], i, REFINE_NONE);
    }
}

static void disturb(struct random_object *o, struct prng *random)
{
    uint8_t at = (uint8_t)prng_below(random, o->contents_count);
    bool adding = prng_below(random, 2);
    struct object_entry *e = adding ? &o->add[at][1 + prng_below(random, o->values)] : &o->remove[at];
    uint8_t next = (uint8_t)prng_below(random, o->contents_count);
    uint8_t result = (uint8_t)(adding ? (prng_below(random, 2) ? REFINE_OK : REFINE_FULL)
                                      : prng_below(random, o->values + 1));
    uint32_t way = prng_below(random, 4);
    if (way == 0 || e->count == 0)
        push_outcome(e, next, result);
    else if (way == 1)
        e->outcomes[0].next = next;
    else if (way == 2)
        e->outcomes[0].result = result;
    else
        e->count--;
}

void random_object_make(struct random_object *o, const char *spec, uint32_t threads, uint32_t values,
                        uint32_t capacity, struct prng *random)
{
    memset(o, 0, sizeof *o);
    o->spec = spec;
    o->values = values;
    o->capacity = capacity;
    o->ops[0] = strcmp(spec, "queue") == 0 ? "enq" : strcmp(spec, "stack") == 0 ? "push" : "insert";
    o->ops[1] = strcmp(spec, "queue") == 0 ? "deq" : strcmp(spec, "stack") == 0 ? "pop" : "delete_min";
    make_system(o, threads);
    fill_table(o, 1 + prng_below(random, 3));
    for (uint32_t k = prng_below(random, 4); k > 0; k--)
        disturb(o, random);
}
