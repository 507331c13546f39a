/* SPDX-License-Identifier: Apache-2.0 */
#include "random_cells.h"

#include <string.h>

/* --- as a system -------------------------------------------------------------------------------------------------- */

/* A state: length, control, the cells, then for each thread its phase and its item. */
enum phase { IDLE, ADDING, REMOVING, ADDED, REFUSED, REMOVED };
enum { LENGTH, CONTROL, CELL, THREADS = CELL + CELLS_MOST, THREAD_SIZE = 2 };

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
    struct refine_step call = {.kind = REFINE_CALL, .thread = t, .arg_count = 1, .args = {CELLS_MOST + t}};
    push_step(s, out, state, call)[s->thread_offsets[t]] = ADDING;
    call.op = 1;
    call.arg_count = 0;
    push_step(s, out, state, call)[s->thread_offsets[t]] = REMOVING;
}

static void put_item(const struct random_cells *c, uint8_t *state, uint8_t position, uint8_t item)
{
    uint8_t at = state[LENGTH]++;
    bool is_sorted = strcmp(c->spec, "pqueue") == 0;
    for (; at > 0 && (is_sorted ? state[CELL + at - 1] > item : at > position); at--)
        state[CELL + at] = state[CELL + at - 1];
    state[CELL + at] = item;
}

static uint8_t take_item(uint8_t *state, uint8_t position)
{
    uint8_t item = state[CELL + position], length = --state[LENGTH];
    for (uint8_t i = position; i < length; i++)
        state[CELL + i] = state[CELL + i + 1];
    state[CELL + length] = REFINE_NONE;
    return item;
}

static void apply(const struct random_cells *c, uint8_t *state, uint8_t *thread,
                  const struct cells_outcome *how)
{
    bool adding = thread[0] == ADDING, nothing = how->position == CELLS_NOTHING;
    uint8_t item = REFINE_NONE;
    if (!adding && !nothing)
        item = how->is_trick ? state[CELL + how->position] : take_item(state, how->position);
    if (adding && !nothing && !how->is_trick)
        put_item(c, state, how->position, thread[1]);
    thread[0] = adding ? (nothing ? REFUSED : ADDED) : REMOVED;
    thread[1] = item;
    state[CONTROL] = how->control;
}

static void push_effects(const struct refine_system *s, struct refine_steps *out, const uint8_t *state,
                         uint8_t t)
{
    const struct random_cells *c = (const struct random_cells *)s;
    uint32_t at = s->thread_offsets[t];
    const struct cells_entry *e = state[at] == ADDING ? &c->add[state[LENGTH]][state[CONTROL]]
                                                      : &c->remove[state[LENGTH]][state[CONTROL]];
    for (uint32_t i = 0; i < e->count; i++) {
        struct refine_step step = {.kind = REFINE_INTERNAL, .thread = t};
        uint8_t *next = push_step(s, out, state, step);
        apply(c, next, next + at, &e->outcomes[i]);
    }
}

static void push_return(const struct refine_system *s, struct refine_steps *out, const uint8_t *state,
                        uint8_t t)
{
    uint32_t at = s->thread_offsets[t];
    int32_t value = state[at] == ADDED ? REFINE_OK : state[at] == REFUSED ? REFINE_FULL : state[at + 1];
    struct refine_step step = {
        .kind = REFINE_RETURN, .thread = t, .op = state[at] == REMOVED, .value = value};
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

static void make_system(struct random_cells *c, uint32_t threads)
{
    c->system = (struct refine_system){.name = c->spec,
                                       .state_size = THREADS + threads * THREAD_SIZE,
                                       .threads = threads,
                                       .ops = c->ops,
                                       .op_count = 2,
                                       .locations = c->locations,
                                       .location_count = CELLS_MOST + threads,
                                       .thread_offsets = c->offsets,
                                       .thread_size = THREAD_SIZE,
                                       .symmetric = true,
                                       .initial = initial,
                                       .steps = steps,
                                       .describe = describe};
    for (uint32_t i = 0; i < CELLS_MOST; i++)
        c->locations[i] = (struct refine_location){.offset = CELL + i, .width = 1, .is_data = true};
    for (uint32_t t = 0; t < threads; t++) {
        c->offsets[t] = THREADS + t * THREAD_SIZE;
        c->locations[CELLS_MOST + t] =
            (struct refine_location){.offset = c->offsets[t] + 1, .width = 1, .is_data = true};
    }
}

/* --- the table ---------------------------------------------------------------------------------------------------- */

static void push_outcome(struct cells_entry *e, uint8_t position, uint8_t control)
{
    if (e->count < CELLS_OUTCOMES)
        e->outcomes[e->count++] = (struct cells_outcome){position, control, false};
}

/* The control counts removals of a cluster, as long as it lasts: one of `reach` items is taken, fewer and fewer when
 * `clustered`. */
static void fill_table(struct random_cells *c, uint8_t reach, bool clustered)
{
    bool from_end = strcmp(c->spec, "stack") == 0;
    for (uint8_t n = 0; n <= c->capacity; n++)
        for (uint8_t control = 0; control < CELLS_CONTROLS; control++) {
            push_outcome(&c->add[n][control], n < c->capacity ? n : CELLS_NOTHING, control);
            uint8_t after = clustered ? (uint8_t)((control + 1) % reach) : 0;
            uint8_t choices = clustered ? (uint8_t)(reach - control % reach) : reach;
            for (uint8_t k = 0; k < choices && k < n; k++)
                push_outcome(&c->remove[n][control], from_end ? (uint8_t)(n - 1 - k) : k, after);
            if (n == 0)
                push_outcome(&c->remove[n][control], CELLS_NOTHING, control);
        }
}

static void disturb(struct random_cells *c, struct prng *random)
{
    bool adding = prng_below(random, 2);
    uint8_t n = (uint8_t)prng_below(random, c->capacity + 1);
    uint8_t control = (uint8_t)prng_below(random, CELLS_CONTROLS);
    struct cells_entry *e = adding ? &c->add[n][prng_below(random, 2) ? control : 0]
                                   : &c->remove[n][prng_below(random, 2) ? control : 0];
    uint8_t choices = adding ? (uint8_t)(n < c->capacity ? n + 1 : 0) : n;
    bool nothing = choices == 0 || prng_below(random, 5) == 0;
    struct cells_outcome other = {nothing ? CELLS_NOTHING : (uint8_t)prng_below(random, choices), control,
                                  prng_below(random, 6) == 0};
    if (e->count && prng_below(random, 2))
        e->outcomes[prng_below(random, e->count)] = other;
    else if (e->count < CELLS_OUTCOMES)
        e->outcomes[e->count++] = other;
}

void random_cells_make(struct random_cells *c, const char *spec, uint32_t threads, uint32_t capacity,
                       struct prng *random)
{
    memset(c, 0, sizeof *c);
    c->spec = spec;
    c->capacity = capacity;
    c->ops[0] = strcmp(spec, "queue") == 0 ? "enq" : strcmp(spec, "stack") == 0 ? "push" : "insert";
    c->ops[1] = strcmp(spec, "queue") == 0 ? "deq" : strcmp(spec, "stack") == 0 ? "pop" : "delete_min";
    make_system(c, threads);
    fill_table(c, (uint8_t)(1 + prng_below(random, 3)), prng_below(random, 3) > 0);
    for (uint32_t k = prng_below(random, 4); k > 0; k--)
        disturb(c, random);
}
