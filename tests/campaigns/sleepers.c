/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs with a mutex, a condition variable and atomic variables. Under sc the explorer of graphs finds the outcomes of all
 * interleavings; under every model it finds the same with its rules for sleepers as with the base rule. An outcome is
 * what all loads found, and who waits forever. Complete graphs are the same, too, each once, but for what woken threads read.
 * usage: sleepers [COUNT] [FIRST SEED] */
#include "base/check.h"
#include "base/hash.h"
#include "base/vec.h"
#include "explore/explore.h"
#include "explore/graphs.h"
#include "explore/schedules/prng.h"
#include "graph/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, STEPS = 24, MUTEX = 8, SLEEPERS = 16, X = 32, Y = 40, FIRST_LOOK = 2 };

struct step {
    enum operation operation; /* NONE: a fence */
    uint64_t address, operand;
    enum memory_order_tag order;
    uint32_t if_zero; /* a load that finds 0 goes on there; 0: at the next step */
};

struct program {
    uint32_t threads;
    uint32_t length[THREADS];
    struct step steps[THREADS][STEPS];
};

/* ---- programs ---- */

static void add(struct program *p, uint32_t t, struct step s)
{
    CHECK(p->length[t] < STEPS);
    p->steps[t][p->length[t]++] = s;
}

static void object(struct program *p, uint32_t t, enum operation o)
{
    bool mutex = o == OPERATION_LOCK || o == OPERATION_UNLOCK;
    enum memory_order_tag order = o == OPERATION_LOCK     ? ORDER_ACQUIRE
                                  : o == OPERATION_UNLOCK ? ORDER_RELEASE
                                                          : ORDER_RELAXED;
    uint64_t operand = o == OPERATION_LOCK ? t + 1 : o == OPERATION_UNLOCK ? 0 : t;
    add(p, t, (struct step){o, mutex ? MUTEX : SLEEPERS, operand, order, 0});
}

static void add_atomic(struct program *p, uint32_t t, struct prng *r)
{
    static const enum memory_order_tag loads[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_SEQ_CST},
                                       stores[] = {ORDER_RELAXED, ORDER_RELEASE, ORDER_SEQ_CST};
    uint64_t address = prng_below(r, 2) ? X : Y;
    uint32_t order = prng_below(r, 3);
    switch (prng_below(r, 5)) {
    case 0: add(p, t, (struct step){.operation = OPERATION_NONE, .order = ORDER_SEQ_CST}); break;
    case 1:
    case 2: add(p, t, (struct step){OPERATION_STORE, address, 1 + prng_below(r, 2), stores[order], 0}); break;
    default: add(p, t, (struct step){OPERATION_LOAD, address, 0, loads[order], 0});
    }
}

/* Waits once or, half of the time, only if it does not find what it wants. */
static void add_wait(struct program *p, uint32_t t, struct prng *r)
{
    bool looks = prng_below(r, 2);
    object(p, t, OPERATION_LOCK);
    if (looks) { /* found: past the wait */
        uint32_t here = p->length[t];
        add(p, t, (struct step){OPERATION_LOAD, X, 0, ORDER_RELAXED, here + FIRST_LOOK});
        add(p, t, (struct step){OPERATION_LOAD, 0, 0, ORDER_RELAXED, here + 6}); /* a jump */
    }
    object(p, t, OPERATION_SLEEP);
    object(p, t, OPERATION_UNLOCK);
    object(p, t, OPERATION_WOKEN);
    object(p, t, OPERATION_LOCK);
    if (prng_below(r, 2))
        add_atomic(p, t, r);
    object(p, t, OPERATION_UNLOCK);
}

static void add_signal(struct program *p, uint32_t t, struct prng *r)
{
    enum operation wake = prng_below(r, 3) ? OPERATION_WAKE_ONE : OPERATION_WAKE_ALL;
    bool locks = prng_below(r, 3) != 0, inside = prng_below(r, 2);
    if (locks)
        object(p, t, OPERATION_LOCK);
    if (prng_below(r, 3))
        add(p, t, (struct step){OPERATION_STORE, X, 1, ORDER_RELAXED, 0});
    if (inside)
        object(p, t, wake);
    if (locks)
        object(p, t, OPERATION_UNLOCK);
    if (!inside)
        object(p, t, wake);
}

static void make(struct program *p, struct prng *r)
{
    memset(p, 0, sizeof *p);
    p->threads = 2 + prng_below(r, 3);
    for (uint32_t t = 0; t < p->threads; t++) {
        uint32_t parts = p->threads == 2 ? 2 : 1;
        bool waits = t == 0 || (t != p->threads - 1 && prng_below(r, 2));
        for (uint32_t k = 0; k < parts; k++) {
            if (prng_below(r, 4) == 0)
                add_atomic(p, t, r);
            if (waits ? k == 0 || prng_below(r, 2) : prng_below(r, 6) == 0)
                add_wait(p, t, r);
            else
                add_signal(p, t, r);
        }
        if (prng_below(r, 3) == 0)
            add_atomic(p, t, r);
    }
}

/* ---- running ---- */

struct thread {
    uint32_t at;
    uint64_t seen; /* hash of what it found */
};

static bool is_jump(const struct step *s)
{
    return s->operation == OPERATION_LOAD && s->address == 0;
}

static void pass(const struct program *p, struct thread *threads, uint32_t t, uint64_t found)
{
    struct thread *th = &threads[t];
    const struct step *s = &p->steps[t][th->at];
    if (s->operation == OPERATION_LOAD)
        th->seen = hash_combine(th->seen, found + 1);
    th->at = s->operation == OPERATION_LOAD && s->if_zero && found == 0 ? s->if_zero : th->at + 1;
    if (th->at < p->length[t] && is_jump(&p->steps[t][th->at]))
        th->at = p->steps[t][th->at].if_zero;
}

/* The value of X and Y at the end is not part of it: mo without readers. */
static uint64_t outcome_of(const struct program *p, const struct thread *threads)
{
    uint64_t h = 0;
    for (uint32_t t = 0; t < p->threads; t++) {
        bool ended = threads[t].at == p->length[t];
        h = hash_combine(h, hash_combine(threads[t].seen, ended ? UINT32_MAX : threads[t].at));
    }
    return h;
}

struct outcomes {
    VEC(uint64_t) list;
    VEC(uint64_t) graphs; /* complete ones, but for what woken threads read */
    uint64_t twice;       /* so many of them came more than once */
};

static void note(struct outcomes *o, uint64_t h)
{
    for (size_t k = 0; k < o->list.len; k++)
        if (o->list.data[k] == h)
            return;
    vec_push(&o->list, h);
}

static bool are_same_sets(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count)
{
    for (size_t k = 0; k < a_count; k++) {
        bool found = false;
        for (size_t i = 0; i < b_count && !found; i++)
            found = a[k] == b[i];
        if (!found)
            return false;
    }
    return a_count == b_count;
}

static bool are_same(const struct outcomes *a, const struct outcomes *b)
{
    return are_same_sets(a->list.data, a->list.len, b->list.data, b->list.len);
}

static bool have_same_graphs(const struct outcomes *a, const struct outcomes *b)
{
    return are_same_sets(a->graphs.data, a->graphs.len, b->graphs.data, b->graphs.len);
}

/* ---- all interleavings ---- */

struct memory {
    uint64_t owner, x, y;
    uint32_t asleep, woken;
};

static uint64_t budget;

static void interleave(const struct program *p, const struct thread *threads, struct memory m,
                       struct outcomes *o);

static void go_on(const struct program *p, const struct thread *threads, struct memory m, uint32_t t,
                  uint64_t found, struct outcomes *o)
{
    struct thread after[THREADS];
    memcpy(after, threads, sizeof after);
    pass(p, after, t, found);
    interleave(p, after, m, o);
}

static bool can_go(const struct program *p, const struct thread *threads, const struct memory *m, uint32_t t)
{
    if (threads[t].at == p->length[t])
        return false;
    enum operation o = p->steps[t][threads[t].at].operation;
    return o == OPERATION_LOCK ? m->owner == 0 : o != OPERATION_WOKEN || m->woken >> t & 1;
}

static void wake_one(const struct program *p, const struct thread *threads, struct memory m, uint32_t t,
                     struct outcomes *o)
{
    if (!m.asleep)
        go_on(p, threads, m, t, 0, o);
    for (uint32_t u = 0; u < p->threads; u++) {
        struct memory after = m;
        after.asleep &= ~(1u << u);
        after.woken |= 1u << u;
        if (m.asleep >> u & 1)
            go_on(p, threads, after, t, 0, o);
    }
}

static void take_step(const struct program *p, const struct thread *threads, struct memory m, uint32_t t,
                      struct outcomes *o)
{
    const struct step *s = &p->steps[t][threads[t].at];
    uint64_t *cell = s->address == X ? &m.x : &m.y, found = *cell;
    switch (s->operation) {
    case OPERATION_STORE: *cell = s->operand; break;
    case OPERATION_LOCK: m.owner = t + 1; break;
    case OPERATION_UNLOCK: m.owner = 0; break;
    case OPERATION_SLEEP: m.asleep |= 1u << t; break;
    case OPERATION_WOKEN: m.woken &= ~(1u << t); break;
    case OPERATION_WAKE_ALL:
        m.woken |= m.asleep;
        m.asleep = 0;
        break;
    case OPERATION_WAKE_ONE: wake_one(p, threads, m, t, o); return;
    default: break;
    }
    go_on(p, threads, m, t, found, o);
}

static void interleave(const struct program *p, const struct thread *threads, struct memory m,
                       struct outcomes *o)
{
    bool any = false;
    if (budget == 0)
        return;
    budget--;
    for (uint32_t t = 0; t < p->threads; t++)
        if (can_go(p, threads, &m, t)) {
            any = true;
            take_step(p, threads, m, t, o);
        }
    if (!any)
        note(o, outcome_of(p, threads));
}

/* ---- graphs ---- */

static event_word peek_zero(void *context, const struct port_action *step)
{
    (void)context;
    (void)step;
    return 0;
}

static struct port_action describe(const struct step *s, uint32_t t)
{
    bool fence = s->operation == OPERATION_NONE, is_object = s->address < X;
    return (struct port_action){
        .thread = (uint16_t)t,
        .address = s->address,
        .kind = fence                           ? EVENT_FENCE
                : operation_reads(s->operation) ? EVENT_READ
                                                : EVENT_WRITE,
        .size = fence ? 0 : 8,
        .order = (uint8_t)s->order,
        .operation = (uint8_t)s->operation,
        .operand = s->operand,
        .flags = !fence && is_object ? PORT_OBJECT : 0,
    };
}

static uint64_t name_of(const struct graph *g, uint32_t e)
{
    return e == GRAPH_NONE ? 0 : hash_combine(g->events[e].thread, g->events[e].index);
}

static uint64_t hash_graph(const struct graph *g)
{
    uint64_t h = 0;
    for (uint32_t t = 0; t < g->thread_count; t++)
        for (uint32_t e = g->threads[t].first; e != GRAPH_NONE; e = g->events[e].po_after) {
            const struct graph_event *ev = &g->events[e];
            bool woken = ev->label.operation == OPERATION_WOKEN;
            uint64_t source = ev->type == GRAPH_READ && !woken ? name_of(g, ev->rf) : 0;
            uint64_t place = ev->type == GRAPH_WRITE ? name_of(g, ev->mo_before) : 0;
            uint64_t pick = ev->label.operation == OPERATION_WAKE_ONE ? (uint64_t)ev->expected : 0;
            h = hash_combine(hash_combine(h, source), hash_combine(place, pick + ev->type));
        }
    return h;
}

static void note_graph(struct outcomes *o, const struct graph *g)
{
    uint64_t h = hash_graph(g);
    for (size_t k = 0; k < o->graphs.len; k++)
        if (o->graphs.data[k] == h) {
            o->twice++;
            return;
        }
    vec_push(&o->graphs, h);
}

/* Stopped executions that are not stuck are no executions. */
static enum port_outcome run(struct explorer *e, const struct program *p, struct thread *threads,
                             bool *counts)
{
    uint32_t last = 0;
    for (;;) {
        struct port_action next[THREADS];
        struct port_answer answer = {0};
        uint64_t waiting = 0;
        for (uint32_t t = 0; t < p->threads; t++)
            if (threads[t].at != p->length[t]) {
                next[t] = describe(&p->steps[t][threads[t].at], t);
                waiting |= UINT64_C(1) << t;
            }
        *counts = true;
        if (!waiting)
            return PORT_COMPLETE;
        last = e->class->advance(e, next, waiting, last, &answer);
        *counts = last != PORT_STOP || answer.why == PORT_STOP_STUCK;
        if (last == PORT_STOP)
            return PORT_BLOCKED;
        pass(p, threads, last, (uint64_t)answer.found);
    }
}

static uint64_t explore(const struct program *p, const struct memory_model *model, bool base, uint64_t seed,
                        struct outcomes *o)
{
    struct graphs_settings settings = {
        .model = model, .base_rule_only = base, .scheduler_seed = seed, .executions_max = 3000};
    struct explorer *e = explore_graphs(&settings);
    e->peek = peek_zero;
    while (e->class->begin(e)) {
        struct thread threads[THREADS] = {0};
        bool counts;
        enum port_outcome end = run(e, p, threads, &counts);
        if (end == PORT_COMPLETE)
            note_graph(o, explore_graphs_current(e));
        e->class->end(e, end);
        if (counts)
            note(o, outcome_of(p, threads));
    }
    const struct graphs_counts *c = explore_graphs_counts(e);
    uint64_t executions = explore_graphs_was_bounded(e) ? 0 : c->complete + c->stuck;
    explore_destroy(e);
    return executions;
}

/* ---- comparing ---- */

static void print(const struct program *p)
{
    static const char *const names[] = {
#define X(name, reads, writes) #name,
        OPERATIONS(X)
#undef X
    };
    for (uint32_t t = 0; t < p->threads; t++) {
        for (uint32_t k = 0; k < p->length[t]; k++) {
            const struct step *s = &p->steps[t][k];
            printf("%s(%d)=%d/%d>%u ", names[s->operation], (int)s->address, (int)s->operand, (int)s->order,
                   s->if_zero);
        }
        printf("\n");
    }
}

static uint64_t with_rules, without_rules, interleaved, skipped;

static bool differs(const struct program *p, const struct memory_model *m, const char *name, uint64_t seed)
{
    struct outcomes base = {0}, rules = {0}, all = {0};
    uint64_t slow = explore(p, m, true, 0, &base), fast = explore(p, m, false, seed, &rules);
    bool bad = slow && fast && (!are_same(&base, &rules) || !have_same_graphs(&base, &rules));
    bad |= slow && fast && m == &model_rc11 && rules.twice > 0;
    skipped += !slow || !fast;
    with_rules += slow ? fast : 0;
    without_rules += fast ? slow : 0;
    budget = 300000;
    if (m == &model_sc && slow)
        interleave(p, (struct thread[THREADS]){0}, (struct memory){0}, &all);
    if (m == &model_sc && slow && budget) {
        bad |= !are_same(&base, &all);
        interleaved++;
    }
    if (bad)
        printf("%s: %zu outcomes with the base rule, %zu with rules, %zu of interleavings; %zu and %zu "
               "graphs, %d twice\n",
               name, base.list.len, rules.list.len, all.list.len, base.graphs.len, rules.graphs.len,
               (int)rules.twice);
    vec_free(&base.graphs);
    vec_free(&rules.graphs);
    vec_free(&base.list);
    vec_free(&rules.list);
    vec_free(&all.list);
    return bad;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 300,
             first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    for (uint64_t number = first; number < first + count; number++) {
        struct program p;
        struct prng r = prng_start(number, 0);
        make(&p, &r);
        uint64_t seed = number % 3;
        if (differs(&p, &model_sc, "sc", seed) || differs(&p, &model_tso, "tso", seed) ||
            differs(&p, &model_rc11, "rc11", seed)) {
            printf("program %llu\n", (unsigned long long)number);
            print(&p);
            return 1;
        }
    }
    printf("sleepers: %llu programs, %llu of them interleaved, %llu skipped; %llu executions, %llu "
           "with the base rule\n",
           (unsigned long long)count, (unsigned long long)interleaved, (unsigned long long)skipped,
           (unsigned long long)with_rules, (unsigned long long)without_rules);
    return 0;
}
