/* SPDX-License-Identifier: Apache-2.0 */
/* A history begins as a list of steps in the order in which they take effect, mostly a legal
 * execution. Then a few steps are damaged or change places, and at last every step gets an interval
 * around its point in time. Without damage the history is linearizable; with it, sometimes. */
#include "random_history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX ORACLE_MAX
#define THREADS_MAX 4

/* Letters of arguments: - none, v value, p priority queue item, k key, V [key, value], S [key, string],
 * C [old, new], T transaction, n amount, U [cell, value], f phase.
 * Letters of results: o plain ok, or a bool with a capacity, k plain ok, e value or null, r value of a register, b bool, i integer, s string,
 * a array, t what a transaction answers, l list of what is inside.
 * Specifications: with a '+' only where operations on everything inside count; "+" those of all such specifications. */
struct shape {
    const char *spec, *name;
    char arg, result;
    unsigned weight;
};

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

struct step {
    const struct shape *shape;
    uint32_t thread, object;
    plumb_value arg, result;
    bool pending;
    int64_t call, ret;
};

enum value_kind { PLAIN, STRINGS, WIDE };
enum fraction { SELDOM = 16, SOMETIMES = 4, OFTEN = 2 };

struct maker {
    struct history *h;
    const struct oracle_spec *spec;
    uint64_t random;
    const struct shape *shapes[16]; /* of the specification */
    unsigned shape_count, weight;
    unsigned threads, objects, keys, values;
    bool unique; /* every added value is new */
    bool pairs;  /* priority queue items are [priority, value] */
    bool unlike; /* counter: amounts differ */
    bool cells;  /* null is a value like any other */
    bool grows;  /* a set that is added to and read as a whole, and nothing else */
    enum value_kind kind;
    uint8_t fresh[16]; /* the numbers 1..16 in random order */
    unsigned used;     /* how many of them were used */
    plumb_value initial;
    struct oracle_state states[2]; /* of the objects, while the legal execution is made */
    struct step steps[STEPS_MAX];
    unsigned count;
};

/* ---- chance ---- */

static uint64_t next_random(struct maker *m)
{
    uint64_t x = m->random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static unsigned below(struct maker *m, unsigned limit)
{
    return (unsigned)((next_random(m) >> 32) * limit >> 32);
}

static bool chance(struct maker *m, unsigned one_in)
{
    return below(m, one_in) == 0;
}

static int64_t between(struct maker *m, int64_t low, int64_t high)
{
    return low + below(m, (unsigned)(high - low) + 1);
}

/* ---- values ---- */

static plumb_value make_value(struct maker *m, unsigned number)
{
    char text[16];
    if (m->kind == STRINGS && m->cells && number == 1)
        return PLUMB_NONE;
    if (m->kind == STRINGS)
        return plumb_string(m->h->values, text, (size_t)snprintf(text, sizeof text, "v%u", number));
    return plumb_int(m->h->values, m->kind == WIDE ? INT64_MIN + number : number);
}

static unsigned add_number(struct maker *m)
{
    return m->unique ? m->fresh[m->used++ % 16] : 1 + below(m, m->values);
}

/* A value that may have been added. */
static plumb_value guess_value(struct maker *m)
{
    if (m->unique)
        return make_value(m, m->fresh[below(m, m->used ? m->used : 1) % 16]);
    return make_value(m, 1 + below(m, m->values));
}

static plumb_value make_small(struct maker *m, int64_t low, int64_t high)
{
    return plumb_int(m->h->values, between(m, low, high));
}

static plumb_value make_pair(struct maker *m, plumb_value a, plumb_value b)
{
    plumb_value items[2] = {a, b};
    return plumb_array(m->h->values, items, 2);
}

static plumb_value make_string(struct maker *m)
{
    char text[4] = {0};
    unsigned length = below(m, 8) ? 1 : below(m, 3);
    for (unsigned i = 0; i < length; i++)
        text[i] = m->unique ? (char)('a' + m->used++ % 26) : (char)('a' + below(m, m->values));
    return plumb_string(m->h->values, text, length);
}

static plumb_value make_item(struct maker *m)
{
    unsigned number = add_number(m);
    if (m->kind == STRINGS || (m->pairs && below(m, 4)))
        return make_pair(m, make_small(m, 1, 3), make_value(m, number));
    return make_value(m, number);
}

static plumb_value guess_register(struct maker *m)
{
    plumb_value unset = oracle_is(m->spec, "multiregister") ? PLUMB_NONE : plumb_int(m->h->values, 0);
    plumb_value first = m->initial == PLUMB_OK ? unset : m->initial;
    return chance(m, SOMETIMES) ? first : guess_value(m);
}

static plumb_value make_swap(struct maker *m)
{
    plumb_value now = m->states[0].value[0];
    plumb_value old = chance(m, OFTEN) ? now : guess_register(m);
    return make_pair(m, old, make_value(m, add_number(m)));
}

static plumb_value make_part(struct maker *m)
{
    bool writes = chance(m, OFTEN), is_long = chance(m, SOMETIMES);
    const char *kind = writes ? (is_long ? "write" : "w") : is_long ? "~:read" : "r";
    plumb_value items[3] = {plumb_string(m->h->values, kind, strlen(kind)), make_small(m, 1, m->keys),
                            PLUMB_NONE};
    if (writes)
        items[2] = make_value(m, add_number(m));
    return plumb_array(m->h->values, items, 3);
}

static plumb_value make_transaction(struct maker *m)
{
    plumb_value parts[3];
    unsigned count = 1 + below(m, 3);
    for (unsigned i = 0; i < count; i++)
        parts[i] = make_part(m);
    return plumb_array(m->h->values, parts, count);
}

/* Of the step's argument, with reads that are guessed; or nothing is said. */
static plumb_value guess_transaction(struct maker *m, plumb_value txn)
{
    plumb_value parts[3];
    unsigned count = (unsigned)plumb_array_count(m->h->values, txn);
    if (chance(m, SELDOM))
        return PLUMB_OK;
    for (unsigned i = 0; i < count; i++) {
        parts[i] = plumb_array_item(m->h->values, txn, i);
        plumb_value items[3] = {plumb_array_item(m->h->values, parts[i], 0),
                                plumb_array_item(m->h->values, parts[i], 1), guess_register(m)};
        size_t length;
        if (*plumb_string_of(m->h->values, items[0], &length) != 'w')
            parts[i] = plumb_array(m->h->values, items, 3);
    }
    return plumb_array(m->h->values, parts, count);
}

static plumb_value make_argument(struct maker *m, char letter)
{
    switch (letter) {
    case 'v': return make_value(m, add_number(m));
    case 'p': return make_item(m);
    case 'k': return m->grows ? make_value(m, add_number(m)) : make_small(m, 1, m->keys);
    case 'V': return make_pair(m, make_small(m, 1, m->keys), make_value(m, add_number(m)));
    case 'S': return make_pair(m, make_small(m, 1, m->keys), make_string(m));
    case 'C': return make_swap(m);
    case 'T': return make_transaction(m);
    case 'n': return m->unlike ? make_small(m, -2, 3) : plumb_int(m->h->values, m->values);
    case 'U': return make_pair(m, make_small(m, 0, m->keys - 1), make_value(m, add_number(m)));
    case 'f': return make_small(m, 0, 2);
    default: return PLUMB_OK;
    }
}

static plumb_value guess_array(struct maker *m)
{
    plumb_value cells[3];
    unsigned length = m->keys + chance(m, SELDOM) - chance(m, SELDOM);
    length = length > 3 ? 3 : length;
    for (unsigned i = 0; i < length; i++)
        cells[i] = chance(m, SOMETIMES) ? plumb_int(m->h->values, 0) : guess_value(m);
    return plumb_array(m->h->values, cells, length);
}

static plumb_value guess_item(struct maker *m)
{
    if (oracle_is(m->spec, "set") && !m->grows)
        return make_small(m, 1, m->keys);
    return oracle_is(m->spec, "map") ? make_pair(m, make_small(m, 1, m->keys), guess_value(m))
                                     : guess_value(m);
}

static plumb_value guess_list(struct maker *m)
{
    plumb_value items[3];
    unsigned length = below(m, 4);
    for (unsigned i = 0; i < length; i++)
        items[i] = guess_item(m);
    return plumb_array(m->h->values, items, length);
}

/* Two items change places: often the same set. */
static plumb_value shuffle_list(struct maker *m, plumb_value list)
{
    plumb_value items[STEPS_MAX];
    unsigned length = (unsigned)plumb_array_count(m->h->values, list);
    for (unsigned i = 0; i < length; i++)
        items[i] = plumb_array_item(m->h->values, list, i);
    if (length > 1) {
        unsigned a = below(m, length), b = below(m, length);
        plumb_value item = items[a];
        items[a] = items[b];
        items[b] = item;
    }
    return plumb_array(m->h->values, items, length);
}

static plumb_value guess_result(struct maker *m, const struct step *s)
{
    switch (s->shape->result) {
    case 'e': return chance(m, SOMETIMES) ? PLUMB_NONE : guess_value(m);
    case 'r': return guess_register(m);
    case 'b': return plumb_bool(chance(m, OFTEN));
    case 'i': return make_small(m, m->unlike ? -2 : 0, 3);
    case 's': return make_string(m);
    case 'a': return guess_array(m);
    case 'l': return guess_list(m);
    case 'k': return PLUMB_OK;
    case 't': return guess_transaction(m, s->arg);
    default: return m->spec->capacity && chance(m, OFTEN) ? plumb_bool(chance(m, OFTEN)) : PLUMB_OK;
    }
}

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

static void choose_values(struct maker *m)
{
    m->cells = oracle_is(m->spec, "register") || oracle_is(m->spec, "snapshot") ||
               oracle_is(m->spec, "multiregister");
    m->unique = chance(m, OFTEN);
    m->keys = 1 + below(m, 2);
    m->values = 1 + below(m, 3);
    m->pairs = chance(m, OFTEN);
    m->unlike = chance(m, OFTEN);
    m->kind = below(m, 8) ? PLAIN : chance(m, OFTEN) ? STRINGS : WIDE;
    for (uint8_t i = 0; i < 16; i++) {
        unsigned j = below(m, i + 1u);
        m->fresh[i] = m->fresh[j];
        m->fresh[j] = (uint8_t)(i + 1);
    }
}

static plumb_value choose_initial(struct maker *m)
{
    if (m->cells)
        return chance(m, OFTEN) ? PLUMB_NONE : make_value(m, 1 + below(m, 3));
    if (oracle_is(m->spec, "counter"))
        return chance(m, SOMETIMES) ? plumb_int(m->h->values, INT64_MAX - 1) : make_small(m, -1, 2);
    if (oracle_is(m->spec, "semaphore") || oracle_is(m->spec, "latch"))
        return make_small(m, 0, 3);
    return oracle_is(m->spec, "barrier") ? make_small(m, 1, 3) : PLUMB_OK;
}

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
