/* SPDX-License-Identifier: Apache-2.0 */
/* A history begins as a list of steps in the order in which they take effect, mostly a legal
 * execution. Then a few steps are damaged or change places, and at last every step gets an interval
 * around its point in time. Without damage the history is linearizable; with it, sometimes. */
#include "random_maker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct shape shapes[] = {
    {"queue", "enq", 'v', 'o', 4},
    {"queue", "deq", '-', 'e', 4},
    {"queue", "peek", '-', 'e', 1},
    {"stack", "push", 'v', 'o', 4},
    {"stack", "pop", '-', 'e', 4},
    {"stack", "peek", '-', 'e', 1},
    {"deque", "push_front", 'v', 'o', 2},
    {"deque", "push_back", 'v', 'o', 2},
    {"deque", "pop_front", '-', 'e', 2},
    {"deque", "pop_back", '-', 'e', 2},
    {"pqueue", "insert", 'p', 'o', 4},
    {"pqueue", "delete_min", '-', 'e', 4},
    {"pqueue", "min", '-', 'e', 1},
    {"set", "add", 'k', 'b', 3},
    {"set", "remove", 'k', 'b', 3},
    {"set", "contains", 'k', 'b', 2},
    {"multiset", "add", 'k', 'o', 4},
    {"multiset", "remove", 'k', 'b', 4},
    {"multiset", "count", 'k', 'i', 1},
    {"bag", "add", 'v', 'o', 1},
    {"bag", "take", '-', 'e', 1},
    {"map", "put", 'V', 'o', 3},
    {"map", "get", 'k', 'e', 3},
    {"map", "remove", 'k', 'b', 1},
    {"map", "put_if_absent", 'V', 'b', 1},
    {"kv", "put", 'S', 'o', 2},
    {"kv", "append", 'S', 'o', 2},
    {"kv", "get", 'k', 's', 3},
    {"register", "write", 'v', 'o', 3},
    {"register", "read", '-', 'r', 3},
    {"register", "cas", 'C', 'b', 2},
    {"counter", "add", 'n', 'o', 4},
    {"counter", "get", '-', 'i', 4},
    {"counter", "fetch_add", 'n', 'i', 1},
    {"snapshot", "update", 'U', 'o', 1},
    {"snapshot", "scan", '-', 'a', 1},
    {"lock", "acquire", '-', 'o', 2},
    {"lock", "try_acquire", '-', 'b', 2},
    {"lock", "release", '-', 'o', 3},
    {"rwlock", "read_lock", '-', 'o', 2},
    {"rwlock", "try_read_lock", '-', 'b', 2},
    {"rwlock", "read_unlock", '-', 'o', 3},
    {"rwlock", "write_lock", '-', 'o', 1},
    {"rwlock", "try_write_lock", '-', 'b', 2},
    {"rwlock", "write_unlock", '-', 'o', 2},
    {"semaphore", "acquire", '-', 'o', 2},
    {"semaphore", "try_acquire", '-', 'b', 2},
    {"semaphore", "release", '-', 'o', 2},
    {"event", "set", '-', 'o', 2},
    {"event", "reset", '-', 'o', 2},
    {"event", "wait", '-', 'o', 2},
    {"event", "is_set", '-', 'b', 2},
    {"latch", "count_down", '-', 'o', 2},
    {"latch", "wait", '-', 'o', 2},
    {"latch", "get", '-', 'i', 2},
    {"barrier", "arrive", '-', 'i', 3},
    {"barrier", "wait", 'f', 'o', 2},
    {"multiregister", "read", 'k', 'r', 1},
    {"multiregister", "write", 'V', 'o', 1},
    {"multiregister", "txn", 'T', 't', 3},
    {"deque+", "peek_front", '-', 'e', 1},
    {"deque+", "peek_back", '-', 'e', 1},
    {"+", "size", '-', 'i', 1},
    {"+", "is_empty", '-', 'b', 1},
    {"+", "items", '-', 'l', 1},
    {"+", "clear", '-', 'k', 1},
    {"+", "drain", '-', 'l', 1},
};

/* ---- executions ---- */

static bool is_of(const struct shape *shape, const struct oracle_spec *spec)
{
    char name[16];
    size_t length = strcspn(shape->spec, "+");
    snprintf(name, sizeof name, "%.*s", (int)length, shape->spec);
    return (!*name || oracle_is(spec, name)) && (!shape->spec[length] || oracle_is_extended(spec));
}

static void find_shapes(struct maker *m)
{
    m->grows = oracle_is_extended(m->spec) && oracle_is(m->spec, "set") && chance(m, SOMETIMES);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        bool reads_whole = !strcmp(shapes[i].name, "add") || !strcmp(shapes[i].name, "items");
        if (!is_of(&shapes[i], m->spec) || (m->grows && !reads_whole))
            continue;
        m->shapes[m->shape_count++] = &shapes[i];
        m->weight += shapes[i].weight;
    }
}

static const struct shape *choose_shape(struct maker *m)
{
    unsigned pick = below(m, m->weight), i = 0;
    for (; pick >= m->shapes[i]->weight; i++)
        pick -= m->shapes[i]->weight;
    return m->shapes[i];
}

static struct step choose_step(struct maker *m)
{
    struct step s = {.shape = choose_shape(m), .thread = below(m, m->threads)};
    s.object = below(m, m->objects);
    s.arg = make_argument(m, s.shape->arg);
    return s;
}

/* Runs the step on the state of its object. False: it would have to wait. */
static bool perform_step(struct maker *m, struct step *s)
{
    struct oracle_call call = {.values = m->h->values,
                               .arg = s->arg,
                               .result = PLUMB_ANY,
                               .name = oracle_name(s->shape->name),
                               .thread = s->thread};
    unsigned choices = 0;
    plumb_value answer;
    struct oracle_state after = m->states[s->object];
    while (choices < STEPS_MAX && oracle_perform(m->spec, &after, &call, choices, &answer)) {
        after = m->states[s->object];
        choices++;
    }
    if (choices == 0)
        return false;
    after = m->states[s->object];
    if (!oracle_perform(m->spec, &after, &call, below(m, choices), &s->result))
        abort();
    m->states[s->object] = after;
    return true;
}

static void make_legal_steps(struct maker *m, unsigned count)
{
    for (unsigned tries = 0; m->count < count && tries < 4 * count; tries++) {
        struct step s = choose_step(m);
        if (!perform_step(m, &s))
            continue;
        if (s.shape->result == 'l' && chance(m, OFTEN))
            s.result = shuffle_list(m, s.result);
        m->steps[m->count++] = s;
    }
}

static void make_random_steps(struct maker *m, unsigned count)
{
    while (m->count < count) {
        struct step s = choose_step(m);
        s.result = guess_result(m, &s);
        m->steps[m->count++] = s;
    }
}

/* ---- damage ---- */

static void swap_steps(struct maker *m, unsigned a, unsigned b)
{
    struct step s = m->steps[a];
    m->steps[a] = m->steps[b];
    m->steps[b] = s;
}

static void swap_results(struct maker *m, unsigned a, unsigned b)
{
    char letter = m->steps[a].shape->result;
    if (letter != m->steps[b].shape->result || letter == 't') /* which has to fit the argument */
        return;
    plumb_value result = m->steps[a].result;
    m->steps[a].result = m->steps[b].result;
    m->steps[b].result = result;
}

static void remove_step(struct maker *m, unsigned a)
{
    m->count--;
    memmove(&m->steps[a], &m->steps[a + 1], (m->count - a) * sizeof *m->steps);
}

static void change_argument(struct maker *m, struct step *s)
{
    s->arg = make_argument(m, s->shape->arg);
    if (s->shape->result == 't')
        s->result = guess_result(m, s);
}

static void damage_once(struct maker *m)
{
    if (m->count < 2)
        return;
    unsigned a = below(m, m->count), b = below(m, m->count);
    struct step *s = &m->steps[a];
    switch (below(m, 8)) {
    case 0: swap_steps(m, a, b); break;
    case 1: swap_steps(m, a, a ? a - 1 : 1); break;
    case 2: swap_results(m, a, b); break;
    case 3: change_argument(m, s); break;
    case 4: s->thread = below(m, m->threads); break;
    case 5: remove_step(m, a); break;
    default: s->result = guess_result(m, s); break;
    }
}

/* Only the last operation of a thread can be pending. */
static void leave_pending(struct maker *m)
{
    unsigned one_in = chance(m, OFTEN) ? SELDOM : OFTEN;
    bool later[THREADS_MAX] = {false};
    for (unsigned i = m->count; i-- > 0;) {
        struct step *s = &m->steps[i];
        s->pending = !later[s->thread] && chance(m, one_in);
        later[s->thread] = true;
        if (s->pending)
            s->result = PLUMB_ANY;
    }
}

static void forget_results(struct maker *m)
{
    if (chance(m, 8))
        m->steps[below(m, m->count)].result = PLUMB_ANY;
}

/* ---- time ---- */

/* Where the thread's next step takes effect, or `end`. */
static int64_t next_point(const struct maker *m, unsigned i, int64_t spacing, int64_t end)
{
    for (unsigned j = i + 1; j < m->count; j++)
        if (m->steps[j].thread == m->steps[i].thread)
            return j * spacing;
    return end;
}

/* Step i takes effect at i * spacing. Its interval reaches at most `reach` to both sides, and never
 * over another step of its thread. Small spacings make ties, inside threads too. */
static void lay_out_in_time(struct maker *m)
{
    static const int64_t spacings[] = {0, 1, 1, 1, 2, 3, 4, 4}, reaches[] = {0, 1, 2, 3, 4, 6, 8, 16};
    int64_t spacing = spacings[below(m, 8)], reach = reaches[below(m, 8)];
    int64_t origin = chance(m, 32) ? INT64_MAX - 100 : chance(m, 32) ? INT64_MIN : 0;
    int64_t free_from[THREADS_MAX], start = -reach, end = m->count * spacing + reach;
    for (unsigned t = 0; t < THREADS_MAX; t++)
        free_from[t] = start;
    for (unsigned i = 0; i < m->count; i++) {
        struct step *s = &m->steps[i];
        int64_t point = i * spacing, limit = next_point(m, i, spacing, end);
        int64_t call = point - between(m, 0, reach), ret = point + between(m, 0, reach);
        call = call < free_from[s->thread] ? free_from[s->thread] : call;
        ret = ret > limit ? limit : ret;
        free_from[s->thread] = ret;
        s->call = origin + (call - start);
        s->ret = origin + (ret - start);
    }
}

static void write_steps(struct maker *m)
{
    for (unsigned i = m->count; i > 1 && chance(m, SOMETIMES); i--)
        swap_steps(m, i - 1, below(m, i)); /* the order of lines should not matter */
    for (unsigned i = 0; i < m->count; i++) {
        const struct step *s = &m->steps[i];
        struct history_op op = {
            .call = s->call,
            .ret = s->ret,
            .arg = s->arg,
            .result = s->result,
            .thread = history_thread(m->h, plumb_int(m->h->values, s->thread + 1)),
            .op = history_op_name(m->h, s->shape->name, strlen(s->shape->name)),
            .pending = s->pending,
        };
        uint32_t object = 0;
        if (m->objects > 1)
            object = history_object(m->h, s->object ? plumb_string(m->h->values, "b", 1) : PLUMB_NONE);
        history_add(m->h, op, object);
    }
}

/* ---- putting it together ---- */

static unsigned choose_count(struct maker *m)
{
    if (chance(m, SELDOM))
        return 1 + below(m, 3);
    return chance(m, SELDOM) ? 9 + below(m, STEPS_MAX - 8) : 4 + below(m, 5);
}

plumb_value random_history(struct history *h, const struct oracle_spec *spec, uint64_t seed)
{
    struct maker m = {.h = h, .spec = spec, .random = seed};
    find_shapes(&m);
    choose_values(&m);
    m.initial = chance(&m, SOMETIMES) ? choose_initial(&m) : PLUMB_OK;
    for (unsigned i = 0; i < 2; i++)
        m.states[i] = oracle_start(spec, h->values, m.initial);
    m.threads = (unsigned[]){1, 2, 2, 3, 3, 3, 4, THREADS_MAX}[below(&m, 8)];
    m.objects = 1 + chance(&m, 8);
    unsigned count = choose_count(&m);
    if (chance(&m, 6))
        make_random_steps(&m, count);
    else
        make_legal_steps(&m, count);
    for (unsigned damage = below(&m, 6); damage > 0; damage--)
        damage_once(&m);
    if (m.count == 0)
        make_random_steps(&m, 1);
    leave_pending(&m);
    forget_results(&m);
    lay_out_in_time(&m);
    write_steps(&m);
    return m.initial;
}
