/* SPDX-License-Identifier: Apache-2.0 */
/* The truth about a small program with loops: every state, by brute force. Stuck: a state from which the end is out of reach. Blocked by a thread: a state
 * from which the ends of all others are out of reach of their own steps. */
#include "oracle/loop_program.h"

#include "base/hash.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER = 3 };

struct buffer {
    uint8_t count;
    struct {
        uint8_t location;
        int8_t value;
    } stores[BUFFER];
};

struct state {
    struct loop_thread threads[LOOP_THREADS];
    int8_t memory[LOOP_LOCATIONS];
    struct buffer buffers[LOOP_THREADS];
};

struct edge {
    uint32_t from, to;
    uint32_t thread; /* LOOP_THREADS: none, a store leaves its buffer */
};

struct search {
    const struct loop_program *p;
    bool buffered;
    uint32_t states_max;
    VEC(struct state) states;
    VEC(struct edge) edges;
    VEC(uint8_t) good; /* the end is in reach */
    struct hash_map numbers;
    struct loop_outcomes *out;
};

static uint32_t number_of(struct search *s, const struct state *state)
{
    uint64_t h = hash_bytes(state, sizeof *state);
    for (;; h = hash_word(h + 1)) {
        uint32_t *number = hash_map_at(&s->numbers, h);
        if (*number == HASH_NO_NUMBER) {
            *number = (uint32_t)s->states.len;
            vec_push(&s->states, *state);
            vec_push(&s->good, 0);
        } else if (memcmp(&s->states.data[*number], state, sizeof *state) != 0) {
            continue;
        }
        return *number;
    }
}

static void reach(struct search *s, uint32_t from, const struct state *state, uint32_t thread)
{
    uint32_t to = number_of(s, state);
    vec_push(&s->edges, ((struct edge){from, to, thread}));
}

static void go_on(struct search *s, uint32_t from, struct state *state, uint32_t t)
{
    uint32_t puts;
    if (!loop_settle(&s->p->threads[t], &state->threads[t], &puts))
        s->out->incomplete = true;
    reach(s, from, state, t);
}

static int8_t seen_by(const struct state *state, uint32_t t, uint32_t location)
{
    const struct buffer *b = &state->buffers[t];
    for (uint32_t k = b->count; k-- > 0;)
        if (b->stores[k].location == location)
            return b->stores[k].value;
    return state->memory[location];
}

static bool is_plain_store(const struct loop_instruction *i)
{
    return i->operation == LOOP_UNLOCK || (i->operation == LOOP_STORE && i->order != 5);
}

static bool waits_for_buffer(const struct loop_instruction *i)
{
    if (i->operation == LOOP_FENCE)
        return i->order == 5;
    return i->operation != LOOP_LOAD && !is_plain_store(i);
}

static void step(struct search *s, uint32_t from, uint32_t t)
{
    struct state state = s->states.data[from];
    struct loop_thread *thread = &state.threads[t];
    const struct loop_instruction *i = &s->p->threads[t].code[thread->at];
    struct buffer *b = &state.buffers[t];
    if (s->buffered && waits_for_buffer(i) && b->count)
        return;
    int8_t found = seen_by(&state, t, i->location);
    struct loop_effect effect = loop_apply(i, thread, found, (int8_t)(t + 1));
    if (!effect.possible)
        return;
    if (effect.writes && s->buffered && is_plain_store(i)) {
        if (b->count == BUFFER) {
            s->out->incomplete = true;
            return;
        }
        b->stores[b->count].location = i->location;
        b->stores[b->count++].value = effect.value;
    } else if (effect.writes) {
        state.memory[i->location] = effect.value;
    }
    loop_finish(i, thread, found, effect.writes);
    go_on(s, from, &state, t);
}

static void drain(struct search *s, uint32_t from, uint32_t t)
{
    struct state state = s->states.data[from];
    struct buffer *b = &state.buffers[t];
    if (!b->count)
        return;
    state.memory[b->stores[0].location] = b->stores[0].value;
    for (uint32_t k = 1; k < b->count; k++)
        b->stores[k - 1] = b->stores[k];
    b->count--;
    memset(&b->stores[b->count], 0, sizeof b->stores[0]);
    reach(s, from, &state, LOOP_THREADS);
}

static bool is_over(struct search *s, uint32_t number)
{
    const struct state *state = &s->states.data[number];
    bool over = true;
    for (uint32_t t = 0; t < s->p->thread_count; t++)
        over &= loop_has_ended(&s->p->threads[t], &state->threads[t]) && !state->buffers[t].count;
    if (over)
        vec_push(s->out, loop_outcome(s->p, state->threads, state->memory));
    for (uint32_t t = 0; t < s->p->thread_count; t++)
        if (state->threads[t].failed)
            s->out->failed = over = true;
    return over;
}

static void expand(struct search *s, uint32_t number)
{
    if (is_over(s, number)) {
        s->good.data[number] = true;
        return;
    }
    for (uint32_t t = 0; t < s->p->thread_count; t++) {
        if (!loop_has_ended(&s->p->threads[t], &s->states.data[number].threads[t]))
            step(s, number, t);
        drain(s, number, t);
    }
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void loop_sort_outcomes(struct loop_outcomes *out)
{
    size_t kept = 0;
    if (out->len > 1)
        qsort(out->data, out->len, sizeof *out->data, compare);
    for (size_t i = 0; i < out->len; i++)
        if (i == 0 || out->data[i] != out->data[kept - 1])
            out->data[kept++] = out->data[i];
    out->len = kept;
}

enum { NO_THREAD = LOOP_THREADS + 1 };

/* Backwards from the states that are good, by steps of all threads but one. Edges mostly go from lower to higher numbers. True: there are
 * others. */
static bool leaves_others(struct search *s, uint32_t stopped)
{
    bool others = false;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = s->edges.len; k-- > 0;) {
            struct edge e = s->edges.data[k];
            if (e.thread != stopped && s->good.data[e.to] && !s->good.data[e.from])
                s->good.data[e.from] = changed = true;
        }
    }
    for (size_t k = 0; k < s->good.len; k++)
        others |= !s->good.data[k];
    return others;
}

static bool have_others_ended(const struct search *s, const struct state *state, uint32_t stopped)
{
    bool ended = true, failed = false;
    for (uint32_t t = 0; t < s->p->thread_count; t++) {
        ended &= t == stopped || loop_has_ended(&s->p->threads[t], &state->threads[t]);
        failed |= state->threads[t].failed;
    }
    return ended || failed;
}

static void find_blocked(struct search *s)
{
    for (uint32_t t = 0; t < s->p->thread_count; t++) {
        for (size_t k = 0; k < s->good.len; k++)
            s->good.data[k] = have_others_ended(s, &s->states.data[k], t);
        s->out->blocked |= (unsigned)leaves_others(s, t) << t;
    }
}

void loop_search(const struct loop_program *p, bool buffered, uint32_t states_max, struct loop_outcomes *out)
{
    struct search s = {.p = p, .buffered = buffered, .states_max = states_max, .out = out};
    struct state first;
    uint32_t puts, next = 0;
    memset(&first, 0, sizeof first);
    out->len = 0;
    out->failed = out->stuck = out->incomplete = false;
    out->blocked = 0;
    for (uint32_t t = 0; t < p->thread_count; t++)
        loop_settle(&p->threads[t], &first.threads[t], &puts);
    number_of(&s, &first);
    for (; next < s.states.len && s.states.len < states_max; next++)
        expand(&s, next);
    if (next < s.states.len) {
        out->incomplete = true;
    } else {
        out->stuck = leaves_others(&s, NO_THREAD);
        find_blocked(&s);
    }
    loop_sort_outcomes(out);
    hash_map_free(&s.numbers);
    vec_free(&s.states);
    vec_free(&s.edges);
    vec_free(&s.good);
}
