/* SPDX-License-Identifier: Apache-2.0 */
/* Random executions of an implementation that is nearly right: each operation takes effect at one of its steps, but
 * sometimes too late, and what its steps access has little to do with it. */
#include "oracle/sketch.h"

#include <string.h>

struct vocabulary {
    const char *spec;
    const char *names[4];
    const char *args; /* of each: '-' none, 'n' a new number, 's' one of a few */
};

static const struct vocabulary vocabularies[] = {
    {"queue", {"enq", "deq", "deq", "peek"}, "n---"},
    {"stack", {"push", "pop", "pop", "push"}, "n--n"},
    {"set", {"add", "remove", "contains", "add"}, "ssss"},
    {"counter", {"add", "get", "fetch_add", "get"}, "s-s-"},
    {"semaphore", {"acquire", "try_acquire", "release", "acquire"}, "----"},
    {"register", {"write", "read", "read", "write"}, "s--s"},
    {"bag", {"add", "take", "take", "add"}, "n--n"},
    {"event", {"set", "wait", "wait", "reset"}, "----"},
    {"lock", {"acquire", "release", "try_acquire", "acquire"}, "----"},
    {"pqueue", {"insert", "delete_min", "delete_min", "min"}, "s---"},
    {"latch", {"count_down", "wait", "get", "wait"}, "----"},
};

enum { ACTIONS_MOST = 64, ACTION_EFFECT = 100 };

struct action {
    uint8_t kind; /* enum sketch_kind, or ACTION_EFFECT */
    uint8_t other, location, order;
};

struct maker {
    struct sketch *s;
    const struct sketch_wishes *w;
    struct plumb_values *values;
    const struct oracle_spec *spec;
    uint64_t *seed;
    struct action actions[SKETCH_THREADS][ACTIONS_MOST];
    uint32_t length[SKETCH_THREADS], at[SKETCH_THREADS];
    uint32_t threads;
    bool waits[SKETCH_THREADS], ended[SKETCH_THREADS];
    bool effected[SKETCH_OPS];
    bool retries;
    struct oracle_state states[2];
};

static uint32_t below(struct maker *m, uint32_t n)
{
    *m->seed += 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash_word(*m->seed) >> 20) % n;
}

static bool chance(struct maker *m, uint32_t percent)
{
    return below(m, 100) < percent;
}

/* --- the test ------------------------------------------------------------------------------------------------------ */

static void add_action(struct maker *m, uint32_t thread, struct action a)
{
    m->actions[thread][m->length[thread]++] = a;
}

static struct action random_access(struct maker *m)
{
    static const uint8_t orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL,
                                     ORDER_SEQ_CST};
    struct action a = {.location = (uint8_t)below(m, m->w->model == &model_sc ? SKETCH_LOCATIONS : 2)};
    uint32_t kind = below(m, m->w->model == &model_sc ? 8 : 9);
    a.kind = kind < 3 ? SKETCH_READ : kind < 6 ? SKETCH_WRITE : kind < 8 ? SKETCH_UPDATE : SKETCH_FENCE;
    a.order = orders[below(m, 5)];
    if ((a.kind == SKETCH_READ && a.order == ORDER_RELEASE) ||
        (a.kind == SKETCH_WRITE && a.order == ORDER_ACQUIRE))
        a.order = ORDER_RELAXED;
    if (a.order == ORDER_ACQ_REL && (a.kind == SKETCH_READ || a.kind == SKETCH_WRITE))
        a.order = a.kind == SKETCH_READ ? ORDER_ACQUIRE : ORDER_RELEASE;
    if (a.kind == SKETCH_FENCE && a.order == ORDER_RELAXED)
        a.order = ORDER_SEQ_CST;
    return a;
}

static void add_op(struct maker *m, uint32_t thread)
{
    const struct vocabulary *v = vocabularies;
    while (strcmp(v->spec, m->w->spec) != 0)
        v++;
    uint32_t number = m->s->op_count++, word = below(m, 4),
             accesses = below(m, 4) + (m->w->model != &model_sc && chance(m, 50)),
             effect = below(m, accesses + 1);
    struct sketch_op *op = &m->s->ops[number];
    *op = (struct sketch_op){
        .name = v->names[word], .arg = PLUMB_OK, .result = PLUMB_ANY, .thread = (uint8_t)thread};
    op->object = (uint8_t)below(m, m->w->objects);
    if (v->args[word] != '-')
        op->arg = plumb_int(m->values, v->args[word] == 'n' ? (int64_t)number + 1 : 1 + below(m, 2));
    bool late = chance(m, 12);
    add_action(m, thread, (struct action){.kind = SKETCH_CALL, .other = (uint8_t)number});
    for (uint32_t i = 0; i <= accesses; i++) {
        if (i == effect && !late)
            add_action(m, thread, (struct action){.kind = ACTION_EFFECT, .other = (uint8_t)number});
        if (i < accesses)
            add_action(m, thread, random_access(m));
    }
    add_action(m, thread, (struct action){.kind = SKETCH_RETURN, .other = (uint8_t)number});
    if (late)
        add_action(m, thread, (struct action){.kind = ACTION_EFFECT, .other = (uint8_t)number});
}

static void make_test(struct maker *m)
{
    uint32_t ops = 2 + below(m, m->w->ops_most - 1), first = below(m, 4) == 0, last = below(m, 3) == 0;
    m->threads = 2 + below(m, m->w->threads_most - 1);
    for (uint32_t i = 0; i < first && ops > 2; i++, ops--)
        add_op(m, 0);
    for (uint32_t t = 1; t <= m->threads; t++) {
        add_action(m, 0, (struct action){.kind = SKETCH_CREATE, .other = (uint8_t)t});
        add_action(m, t, (struct action){.kind = SKETCH_BEGIN});
    }
    for (; ops > last; ops--)
        add_op(m, 1 + below(m, m->threads));
    for (uint32_t t = 1; t <= m->threads; t++) {
        add_action(m, t, (struct action){.kind = SKETCH_END});
        add_action(m, 0, (struct action){.kind = SKETCH_JOIN, .other = (uint8_t)t});
    }
    for (; ops > 0; ops--)
        add_op(m, 0);
}

/* --- one execution -------------------------------------------------------------------------------------------------- */

/* False: it has to wait. */
static bool perform(struct maker *m, uint32_t number, struct oracle_state *s)
{
    struct sketch_op *op = &m->s->ops[number];
    struct oracle_call call = {m->values, op->arg, PLUMB_ANY, oracle_name(op->name), op->thread};
    unsigned ways = 0;
    for (struct oracle_state trial = *s; ways < 4; trial = *s, ways++)
        if (!oracle_perform(m->spec, &trial, &call, ways, &(plumb_value){0}))
            break;
    if (!ways)
        return false;
    plumb_value answer;
    oracle_perform(m->spec, s, &call, below(m, ways), &answer);
    if (!op->returned)
        op->result = answer;
    return true;
}

/* Where in mo, and what is read there. */
static void place(struct maker *m, struct sketch_event *ev, uint32_t e)
{
    uint8_t *mo = m->s->mo[ev->location];
    uint32_t count = m->s->mo_count[ev->location], at = count;
    bool weak = m->w->model != &model_sc && chance(m, ev->kind == SKETCH_READ ? 40 : 20);
    if (weak)
        at = below(m, count + 1);
    ev->from = at == 0 ? SKETCH_INITIAL : (int16_t)mo[at - 1];
    if (ev->kind == SKETCH_READ)
        return;
    memmove(mo + at + 1, mo + at, count - at);
    mo[at] = (uint8_t)e;
    m->s->mo_count[ev->location]++;
}

static void add_event(struct maker *m, uint32_t thread, const struct action *a)
{
    uint32_t e = m->s->count++;
    struct sketch_event *ev = &m->s->events[e];
    *ev = (struct sketch_event){a->kind, (uint8_t)thread, a->location, a->order, a->other, SKETCH_INITIAL};
    if (a->kind >= SKETCH_READ && a->kind <= SKETCH_UPDATE)
        place(m, ev, e);
}

/* False: the thread has to wait. */
static bool act(struct maker *m, uint32_t thread, const struct action *a)
{
    struct sketch_op *op = &m->s->ops[a->other];
    if (a->kind == ACTION_EFFECT) {
        bool was_late = op->returned;
        return perform(m, a->other, &m->states[op->object]) || was_late;
    }
    if (a->kind == SKETCH_JOIN && !m->ended[a->other])
        return false;
    if (a->kind == SKETCH_RETURN && op->result == PLUMB_ANY) { /* the effect comes too late */
        struct oracle_state trial = m->states[op->object];
        if (!perform(m, a->other, &trial))
            return false;
    }
    add_event(m, thread, a);
    op->called |= a->kind == SKETCH_CALL;
    op->returned |= a->kind == SKETCH_RETURN;
    m->ended[thread] |= a->kind == SKETCH_END;
    return true;
}

static uint32_t choose_thread(struct maker *m)
{
    uint32_t able[SKETCH_THREADS], count = 0;
    for (uint32_t t = 0; t <= m->threads; t++) {
        bool born = t == 0;
        for (uint32_t e = 0; e < m->s->count; e++)
            born |= m->s->events[e].kind == SKETCH_CREATE && m->s->events[e].other == t;
        if (born && m->at[t] < m->length[t] && !m->waits[t])
            able[count++] = t;
    }
    return count ? able[below(m, count)] : UINT32_MAX;
}

static void run(struct maker *m)
{
    uint32_t cut = chance(m, 15) ? below(m, 40) : UINT32_MAX, t;
    while ((t = choose_thread(m)) != UINT32_MAX) {
        if (cut-- == 0) {
            m->s->ending = SKETCH_CUT;
            return;
        }
        if (!act(m, t, &m->actions[t][m->at[t]])) {
            m->waits[t] = true;
            continue;
        }
        m->at[t]++;
        for (uint32_t u = 0; u <= m->threads; u++) /* others may go on now */
            if (m->retries || m->actions[u][m->at[u]].kind == SKETCH_JOIN)
                m->waits[u] = false;
    }
    m->s->ending = m->at[0] == m->length[0] ? SKETCH_ENDED : SKETCH_STUCK;
}

bool sketch_random(struct sketch *s, const struct sketch_wishes *w, struct plumb_values *values,
                   uint64_t *seed)
{
    for (uint32_t tries = 0; tries < 30; tries++) {
        struct maker m = {.s = s, .w = w, .values = values, .spec = oracle_find_spec(w->spec), .seed = seed};
        memset(s, 0, sizeof *s);
        s->spec = w->spec;
        m.states[0] = m.states[1] = oracle_start(m.spec, values, PLUMB_OK);
        m.retries = chance(&m, 75);
        make_test(&m);
        run(&m);
        struct graph *g = w->model == &model_sc ? NULL : sketch_graph(s, w->model, NULL, 0);
        bool fine = w->model == &model_sc || (g && model_is_consistent_full(w->model, g));
        if (g)
            graph_free(g);
        if (fine)
            return true;
    }
    return false;
}
