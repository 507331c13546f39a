/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of calls against brute force: execution graphs of random programs in every model, with random calls, points, sequential
 * machines and rules. */
#include "oracle/ordering_oracle.h"
#include "oracle/random_program.h"
#include "ordering/ordering_nodes.h"
#include "support/ordering_coverage.h"

#include "explore/explore.h"
#include "explore/graphs.h"
#include "explore/schedules/prng.h"

#include <stdio.h>
#include <string.h>

static struct {
    uint64_t seed, first, count;
} options = {.seed = 1, .count = 3000};

enum { ALL_MET = 1000 }; /* so many programs have everything in them that there is to know */

/* ---- sequential machines ---- */

enum { OBJECTS = 2, ITEMS = 8, ANY = -128 };
enum act_kind { ACT_TABLE, ACT_ADD, ACT_ENQ, ACT_DEQ, ACTS };

static struct act {
    enum act_kind kind;
    int8_t value;
    int8_t finds;      /* after its effect, or takes out */
    uint8_t table[4];  /* of cells */
    uint8_t pre, post; /* cells that are allowed, as bits */
} acts[CASE_CALLS];

static struct state {
    struct {
        uint8_t cell, length;
        int8_t counter, items[ITEMS];
    } objects[OBJECTS];
} state;
static int8_t took[CASE_CALLS]; /* no part of the state, as what a call returns is not */
static struct ordering_case the_case;

static void reset(void *context)
{
    (void)context;
    memset(&state, 0, sizeof state);
}

static bool pre(void *context, uint32_t call)
{
    (void)context;
    uint32_t o = the_case.calls[call].object;
    const struct act *a = &acts[call];
    if (a->kind == ACT_TABLE)
        return a->pre >> state.objects[o].cell & 1;
    return a->kind != ACT_ENQ || state.objects[o].length <= a->pre;
}

static int8_t take(uint32_t o)
{
    if (state.objects[o].length == 0)
        return 0;
    int8_t item = state.objects[o].items[0];
    state.objects[o].length--;
    memmove(state.objects[o].items, state.objects[o].items + 1, ITEMS - 1);
    state.objects[o].items[ITEMS - 1] = 0;
    return item;
}

static void effect(void *context, uint32_t call)
{
    (void)context;
    uint32_t o = the_case.calls[call].object;
    const struct act *a = &acts[call];
    if (a->kind == ACT_TABLE)
        state.objects[o].cell = a->table[state.objects[o].cell];
    else if (a->kind == ACT_ADD)
        state.objects[o].counter = (int8_t)(state.objects[o].counter * 2 + a->value);
    else if (a->kind == ACT_DEQ)
        took[call] = take(o);
    else
        state.objects[o].items[state.objects[o].length++] = a->value;
}

static bool post(void *context, uint32_t call)
{
    (void)context;
    const struct act *a = &acts[call];
    uint32_t o = the_case.calls[call].object;
    if (a->kind == ACT_TABLE)
        return a->post >> state.objects[o].cell & 1;
    if (a->finds == ANY || a->kind == ACT_ENQ)
        return true;
    return a->finds == (a->kind == ACT_ADD ? state.objects[o].counter : took[call]);
}

static size_t save(void *context, const void **bytes)
{
    (void)context;
    *bytes = &state;
    return sizeof state;
}

static void restore(void *context, const void *bytes, size_t size)
{
    (void)context;
    memcpy(&state, bytes, size);
}

static const struct ordering_machine machine = {NULL, reset, pre, effect, post, save, restore};

/* ---- random cases ---- */

static struct prng prng;

static uint32_t below(uint32_t n)
{
    return prng_below(&prng, n);
}

static bool percent(uint32_t n)
{
    return below(100) < n;
}

/* The calls of one thread as they begin. */
struct thread_calls {
    uint32_t count, given; /* given: have got their number */
    struct case_call calls[CASE_CALLS];
    uint32_t depth[CASE_CALLS];
};

static uint32_t depths[CASE_CALLS]; /* by the numbers of calls */
static bool many_points, is_ring;
static uint32_t depth_most;

static uint32_t event_at(const struct graph *g, uint32_t thread, uint32_t index)
{
    uint32_t e = g->threads[thread].first;
    while (g->events[e].index < index)
        e = g->events[e].po_after;
    return e;
}

static bool can_be_point(const struct graph_event *e)
{
    return (e->type == GRAPH_READ && !(e->flags & GRAPH_BLOCKED)) || e->type == GRAPH_WRITE;
}

/* Mostly of its own events, seldom of any before its end. */
static void add_points(struct case_call *c)
{
    uint32_t wanted = many_points ? CASE_POINTS : below(CASE_POINTS + 1),
             from = percent(4) ? 0 : c->span.begin;
    for (uint32_t tries = 0; tries < 8 && c->event_count < wanted && from < c->span.end; tries++) {
        uint32_t e = event_at(the_case.g, c->span.thread, from + below(c->span.end - from));
        if (can_be_point(&the_case.g->events[e]))
            c->events[c->event_count++] = e;
    }
}

static void begin_call(struct thread_calls *t, uint32_t thread, uint32_t index, uint32_t depth, uint32_t mark)
{
    t->depth[t->count] = depth;
    t->calls[t->count++] = (struct case_call){
        .span = {.thread = thread, .begin = index, .begin_number = mark},
        .interface = below(2),
        .object = percent(75) ? 0 : 1,
        .id = percent(85),
        .conditions = below(4),
        .completed = percent(88),
    };
}

static uint32_t event_count(const struct graph *g, uint32_t thread)
{
    uint32_t last = g->threads[thread].last;
    return last == GRAPH_NONE ? 0 : g->events[last].index + 1u;
}

/* Mostly where an operation follows that can be its point, and until there was one. */
static bool may_begin(uint32_t thread, uint32_t index)
{
    return percent(10) || can_be_point(&the_case.g->events[event_at(the_case.g, thread, index)]);
}

static bool may_end(uint32_t thread, uint32_t from, uint32_t to)
{
    bool may = percent(10);
    for (uint32_t k = from; k < to; k++)
        may |= can_be_point(&the_case.g->events[event_at(the_case.g, thread, k)]);
    return may;
}

/* Begins and ends, nested, between the events of the thread; at its end all are ended. */
static void make_thread_calls(struct thread_calls *t, uint32_t thread, uint32_t *left)
{
    uint32_t open[CASE_CALLS], depth = 0, mark = 0, events = event_count(the_case.g, thread);
    t->count = t->given = 0;
    for (uint32_t index = 0; index <= events;) {
        bool at_end = index == events;
        uint32_t choice = below(10), begins = is_ring ? 9 : 5, ends = is_ring ? 1 : 8;
        struct case_call *c = depth > 0 ? &t->calls[open[depth - 1]] : NULL;
        if (choice < begins && !at_end && *left > 0 && depth < depth_most && may_begin(thread, index)) {
            open[depth] = t->count;
            begin_call(t, thread, index, depth++, mark++);
            --*left;
        } else if (c && (at_end || (choice < ends && may_end(thread, c->span.begin, index)))) {
            depth--;
            c->span.end = index;
            c->span.end_number = mark++;
            add_points(c);
        } else {
            index++;
        }
    }
}

/* Threads in turn, at random, as they might have run. */
static void number_calls(struct thread_calls *threads, uint32_t thread_count)
{
    uint32_t all = 0;
    for (uint32_t t = 0; t < thread_count; t++)
        all += threads[t].count;
    while (the_case.count < all) {
        struct thread_calls *t = &threads[below(thread_count)];
        if (t->given == t->count)
            continue;
        depths[the_case.count] = t->depth[t->given];
        the_case.calls[the_case.count++] = t->calls[t->given++];
    }
}

static void make_calls(const struct graph *g)
{
    static struct thread_calls threads[GRAPH_THREADS_MAX];
    uint32_t left = is_ring ? CASE_CALLS : 1 + below(CASE_CALLS), first = below(g->thread_count);
    many_points = percent(is_ring ? 90 : 40);
    depth_most = percent(is_ring ? 80 : 20) ? 1 : 3;
    the_case = (struct ordering_case){.g = g, .machine = &machine, .rule_count = below(CASE_RULES + 1)};
    for (uint32_t k = 0; k < g->thread_count; k++) {
        uint32_t t = (first + k) % g->thread_count, share = left < 4 ? left : 4, rest = left - share;
        make_thread_calls(&threads[t], t, &share);
        left = rest + share;
    }
    number_calls(threads, g->thread_count);
    for (uint32_t r = 0; r < the_case.rule_count; r++)
        the_case.rules[r] = (struct ordering_rule){.from = below(2),
                                                   .to = below(2),
                                                   .from_condition = percent(50) ? 0 : 1 + below(2),
                                                   .to_condition = percent(50) ? 0 : 1 + below(2)};
}

static void make_act(struct act *a, enum act_kind mostly)
{
    *a = (struct act){.kind = percent(80) ? mostly : below(ACTS),
                      .value = (int8_t)(1 + below(3)),
                      .pre = (uint8_t)(percent(85) ? 0xff : below(16)),
                      .post = (uint8_t)below(16),
                      .finds = ANY};
    if (a->kind == ACT_ENQ && percent(50))
        a->kind = ACT_DEQ;
    if (a->kind == ACT_ENQ)
        a->pre = (uint8_t)(percent(85) ? ITEMS : below(3));
    for (uint32_t k = 0; k < 4; k++)
        a->table[k] = (uint8_t)(percent(40) ? k : below(4));
}

/* What a call finds is mostly what it finds in one of the orders. */
static void observe(uint32_t call)
{
    struct act *a = &acts[call];
    uint32_t o = the_case.calls[call].object;
    if (percent(6))
        a->finds = (int8_t)below(4);
    else if (percent(80))
        a->finds = a->kind == ACT_ADD ? state.objects[o].counter : took[call];
    if (!percent(6))
        a->post |= (uint8_t)(1u << state.objects[o].cell);
}

static void run_and_observe(const struct ordering_expected *x, uint32_t node)
{
    uint32_t failed;
    bool failed_pre;
    struct act kept[CASE_CALLS];
    memcpy(kept, acts, sizeof kept);
    for (uint32_t c = 0; c < the_case.count; c++)
        if (x->node_of[c] == node) { /* for now, nothing fails */
            acts[c].finds = ANY;
            acts[c].pre = acts[c].post = 0xff;
        }
    ordering_oracle_run(&the_case, x, node, &failed, &failed_pre);
    memcpy(acts, kept, sizeof kept);
    for (uint32_t c = 0; c < the_case.count; c++)
        if (x->node_of[c] == node)
            observe(c);
}

/* Sometimes nothing ever fails, so that rules decide. */
static void make_acts(const struct ordering_expected *x)
{
    enum act_kind mostly = below(ACTS);
    bool done[CASE_CALLS] = {false}, is_tame = percent(30);
    for (uint32_t c = 0; c < the_case.count; c++)
        make_act(&acts[c], mostly);
    for (uint32_t c = 0; is_tame && c < the_case.count; c++)
        acts[c] = (struct act){.kind = ACT_ADD, .value = 1, .finds = ANY};
    if (is_tame)
        return;
    reset(NULL);
    for (uint32_t left = x->cycle_length ? 0 : x->node_count; left > 0;) {
        uint32_t v = below(x->node_count);
        bool is_free = !done[v];
        for (uint32_t u = 0; u < x->node_count; u++)
            is_free &= done[u] || !x->edge[u][v];
        if (!is_free)
            continue;
        run_and_observe(x, v);
        done[v] = true;
        left--;
    }
}

/* ---- comparison ---- */

static struct {
    uint64_t graphs[3], violated[2], sync, skipped;
} seen;

static struct {
    const char *model;
    uint64_t program, execution;
} where;

static void print_case(void)
{
    for (uint32_t c = 0; c < the_case.count; c++) {
        const struct case_call *call = &the_case.calls[c];
        printf("  call %u: thread %u [%u, %u), depth %u%s, points", c, call->span.thread, call->span.begin,
               call->span.end, depths[c], call->completed ? "" : ", no result");
        for (uint32_t k = 0; k < call->event_count; k++) {
            struct ordering_point p = ordering_point_of(the_case.g, call->events[k]);
            printf(" %llu:%u@%u", (unsigned long long)p.event, p.location, p.key);
        }
        printf("\n");
    }
}

_Noreturn static void fail(const char *what)
{
    printf("seed %llu, program %llu, %s, execution %llu: %s\n", (unsigned long long)options.seed,
           (unsigned long long)where.program, where.model, (unsigned long long)where.execution, what);
    print_case();
    exit(1);
}

static void expect(bool good, const char *what)
{
    if (!good)
        fail(what);
}

static struct {
    struct ordering_call calls[CASE_CALLS];
    struct ordering_point points[CASE_CALLS][CASE_POINTS];
    uint64_t before[CASE_CALLS];
    struct ordering_question q;
} asked;

static void ask(enum ordering_mode mode)
{
    struct ordering_span spans[CASE_CALLS];
    for (uint32_t c = 0; c < the_case.count; c++) {
        const struct case_call *from = &the_case.calls[c];
        spans[c] = from->span;
        for (uint32_t k = 0; k < from->event_count; k++)
            asked.points[c][k] = ordering_point_of(the_case.g, from->events[k]);
        asked.calls[c] = (struct ordering_call){
            .interface = from->interface,
            .object = from->object,
            .id = from->id,
            .conditions = from->conditions,
            .points = asked.points[c],
            .point_count = from->event_count,
            .end_number = from->span.end_number,
            .completed = from->completed,
        };
    }
    ordering_find_before(the_case.g, spans, the_case.count, asked.before);
    asked.q = (struct ordering_question){
        .calls = asked.calls,
        .count = the_case.count,
        .mode = mode,
        .machine = machine,
        .rules = the_case.rules,
        .rule_count = the_case.rule_count,
        .before = asked.before,
    };
}

static void compare_order(const struct ordering_expected *x)
{
    struct ordering_nodes n;
    ordering_find_nodes(&asked.q, &n);
    expect(n.count == x->node_count, "another number of nodes");
    for (uint32_t c = 0; c < the_case.count; c++) {
        uint32_t node = n.node_of[c] == ORDERING_NO_NODE ? CASE_CALLS : n.node_of[c];
        expect(node == x->node_of[c], "a call is in another node");
    }
    for (uint32_t a = 0; a < n.count; a++)
        for (uint32_t b = 0; b < n.count; b++) {
            expect((n.earlier[b] >> a & 1) == x->edge[a][b], "edges differ");
            expect((n.closure[b] >> a & 1) == x->closure[a][b], "the closure of edges differs");
        }
    for (uint32_t a = 0; a < the_case.count; a++)
        expect(asked.before[a] == x->happens_before[a], "happens-before differs");
}

static void compare_cycle(const struct ordering_expected *x, const struct ordering_answer *a)
{
    expect(a->verdict == VERDICT_VIOLATED && a->fault == ORDERING_CYCLE, "a cycle is not found");
    expect(a->order_count == x->cycle_length, "the cycle is not a shortest one");
    for (uint32_t k = 0; k < a->order_count; k++) {
        uint32_t from = a->order[k], to = a->order[(k + 1) % a->order_count];
        struct ordering_point edge[2];
        expect(x->edge[x->node_of[from]][x->node_of[to]], "the cycle is none");
        expect(ordering_edge(&asked.q, from, to, edge) &&
                   ordering_oracle_points(the_case.g, (uint32_t)edge[0].event, (uint32_t)edge[1].event),
               "the points of an edge have no order");
    }
}

static void compare_failing(const struct failing_order *f, const struct ordering_answer *a)
{
    expect(a->verdict == VERDICT_VIOLATED && a->fault == ORDERING_CONDITION, "a violation is not found");
    expect(a->order_count == f->length, "the legal order has another length");
    expect(memcmp(a->order, f->order, f->length * sizeof *f->order) == 0, "the legal order is another one");
    expect(a->failed == f->failed && a->failed_pre == f->failed_pre, "another condition fails");
    expect(memcmp(a->other, f->order, f->length * sizeof *f->order) == 0 && a->other_count > f->length,
           "the failing order begins otherwise");
}

static void compare_passing(const struct ordering_expected *x, const struct ordering_answer *a)
{
    if (x->broken) {
        expect(a->verdict == VERDICT_VIOLATED && a->fault == ORDERING_SYNC, "a broken rule is not found");
        expect(a->rule == x->rule && a->earlier == x->earlier && a->failed == x->later,
               "another rule or pair");
    } else {
        expect(a->verdict == VERDICT_HOLDS && a->fault == ORDERING_FINE, "a false alarm");
    }
    seen.sync += x->broken;
}

static void compare_some(const struct ordering_expected *x, const struct ordering_answer *a)
{
    uint32_t pair[2];
    compare_passing(x, a);
    expect(a->order_count == x->legal_length &&
               memcmp(a->order, x->legal_order, x->legal_length * sizeof *a->order) == 0,
           "another legal order");
    expect(a->undetermined == x->longest.exists, "undetermined or not");
    if (!a->undetermined)
        return;
    expect(ordering_unordered_pair(&asked.q, a, pair), "no pair of calls that do not commute");
    expect(ordering_oracle_matters(&the_case, x, x->node_of[pair[0]], x->node_of[pair[1]]),
           "the order of the pair does not matter");
}

static void compare(const struct ordering_expected *x, enum ordering_mode mode)
{
    ask(mode);
    struct ordering_answer a = ordering_check(&asked.q);
    expect(ordering_repeats(&asked.q, &a), "another result of the same order");
    compare_order(x);
    if (x->cycle_length > 0) {
        compare_cycle(x, &a);
    } else if (mode == ORDERING_SOME ? !x->legal : x->longest.exists) {
        compare_failing(mode == ORDERING_SOME ? &x->longest : &x->first, &a);
        seen.violated[mode]++;
    } else if (mode == ORDERING_SOME) {
        compare_some(x, &a);
    } else {
        compare_passing(x, &a);
    }
}

static void check_graph(const struct graph *g)
{
    struct ordering_expected x;
    make_calls(g);
    ordering_oracle_relate(&the_case, &x);
    make_acts(&x);
    if (x.cycle_length == 0)
        ordering_oracle_judge(&the_case, &x);
    compare(&x, ORDERING_SOME);
    compare(&x, ORDERING_EVERY);
    ordering_coverage_add(&the_case, &x);
}

/* ---- executions ---- */

struct runner {
    struct explorer *explorer;
    uint32_t model, executions, taken;
    uint64_t program;
};

static bool look_at_execution(void *context, const struct program_state *s)
{
    struct runner *r = context;
    const struct graph *g = explore_graphs_current(r->explorer);
    if (s->repeats)
        return true;
    where.execution = r->executions++;
    prng = prng_start(options.seed ^ r->program << 20 ^ (uint64_t)r->model << 60, where.execution);
    if (g->count > CASE_EVENTS) {
        seen.skipped++;
    } else if (percent(30)) {
        check_graph(g);
        seen.graphs[r->model]++;
        r->taken++;
    }
    return r->taken < 8 && r->executions < 200;
}

/* Threads that meet their neighbours at one location each: their calls can be in cycles of more than two. */
static void make_ring(struct program *p)
{
    static const struct instruction accesses[] = {
        {.operation = OPERATION_STORE, .order = ORDER_RELAXED, .target = -1},
        {.operation = OPERATION_STORE, .order = ORDER_RELEASE, .target = -1},
        {.operation = OPERATION_ADD, .order = ORDER_ACQ_REL, .target = 0},
        {.operation = OPERATION_LOAD, .order = ORDER_ACQUIRE, .target = 1},
    };
    p->thread_count = p->location_count = 3;
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t k = 0; k < 2; k++) {
            struct instruction i = accesses[below(4)];
            i.location = (t + k) % p->thread_count;
            i.expression = program_constant(p, 1 + t);
            vec_push(&p->threads[t].code, i);
        }
}

static void check_program(uint64_t number)
{
    static const struct memory_model *const models[] = {&model_sc, &model_tso, &model_rc11};
    struct program p = {0};
    prng = prng_start(options.seed, number);
    is_ring = number % 8 == 7;
    if (is_ring)
        make_ring(&p);
    else
        random_program(&p, options.seed, number);
    where.program = number;
    for (uint32_t m = 0; m < 3; m++) {
        struct graphs_settings settings = {.model = models[m],
                                           .plain_reads_noted = true,
                                           .weak_cas = true,
                                           .scheduler_seed = number % 2 * number};
        struct runner r = {.explorer = explore_graphs(&settings), .model = m, .program = number};
        where.model = models[m]->name;
        program_explore(&p, r.explorer, look_at_execution, &r);
        explore_destroy(r.explorer);
    }
    program_free(&p);
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        uint64_t value = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--count") == 0)
            options.count = value;
        else if (strcmp(argv[i], "--seed") == 0)
            options.seed = value;
        else if (strcmp(argv[i], "--first") == 0)
            options.first = value;
    }
    for (uint64_t k = 0; k < options.count; k++)
        check_program(options.first + k);
    printf("%llu programs, graphs: sc %llu, tso %llu, rc11 %llu (%llu too large)\n",
           (unsigned long long)options.count, (unsigned long long)seen.graphs[0],
           (unsigned long long)seen.graphs[1], (unsigned long long)seen.graphs[2],
           (unsigned long long)seen.skipped);
    printf("%llu violated by some, %llu by every, %llu times a broken rule\n",
           (unsigned long long)seen.violated[0], (unsigned long long)seen.violated[1],
           (unsigned long long)seen.sync);
    ordering_coverage_print(stdout);
    const char *missing = options.count < ALL_MET ? NULL : ordering_coverage_missing();
    if (missing)
        printf("nothing was found out about %s\n", missing);
    return missing != NULL;
}
