/* SPDX-License-Identifier: Apache-2.0 */
/* The judge against brute force, on random executions.
 * judge_sketches [--count N] [--seed S] [--model sc|tso|rc11] [--spec NAME] */
#include "base/memory.h"
#include "judge/judge.h"
#include "monitor/monitor.h"
#include "oracle/sketch.h"
#include "spec/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const specs[] = {"queue", "stack", "set",  "counter", "semaphore", "register",
                                    "bag",   "event", "lock", "pqueue",  "latch"};
enum { SPECS = sizeof specs / sizeof *specs };

static struct {
    uint64_t cases, violated, skipped, stuck, cut, unstamped, weak_way, impossible;
} seen;

struct bench {
    const struct memory_model *model;
    struct plumb_values *values;
    struct plumb_spec_options options;
    struct judge *judges[SPECS]; /* kept: certificates of earlier executions are used */
    const struct plumb_spec *of_objects[SPECS][2];
    struct judge_graph *reader;
};

static struct judge_settings settings_of(struct bench *b, uint32_t spec)
{
    return (struct judge_settings){.specs = b->of_objects[spec], .objects = 2, .options = &b->options};
}

static void bench_open(struct bench *b, const struct memory_model *model)
{
    *b = (struct bench){.model = model, .values = plumb_values_create()};
    b->options = (struct plumb_spec_options){.values = b->values, .initial = PLUMB_OK};
    b->reader = judge_graph_new(model);
    for (uint32_t i = 0; i < SPECS; i++) {
        b->of_objects[i][0] = b->of_objects[i][1] = spec_find(specs[i]);
        struct judge_settings settings = settings_of(b, i);
        b->judges[i] = judge_new(&settings);
    }
}

static void bench_close(struct bench *b)
{
    for (uint32_t i = 0; i < SPECS; i++)
        judge_free(b->judges[i]);
    judge_graph_free(b->reader);
    plumb_values_destroy(b->values);
}

static void list_ops(const struct bench *b, uint32_t spec, const struct sketch *s, struct judge_op *ops)
{
    for (uint32_t i = 0; i < s->op_count; i++)
        ops[i] = (struct judge_op){.arg = s->ops[i].arg,
                                   .result = s->ops[i].result,
                                   .op = spec_operation(b->of_objects[spec][0], s->ops[i].name),
                                   .thread = s->ops[i].thread,
                                   .object = s->ops[i].object};
}

static void fail(const struct bench *b, const struct sketch *s, const char *what)
{
    fprintf(stderr, "%s: %s\n", b->model->name, what);
    sketch_print(s, b->values);
    exit(1);
}

/* --- violations are confirmed twice ----------------------------------------------------------------------------------- */

static void confirm_by_monitor(struct bench *b, uint32_t spec, const struct sketch *s,
                               const struct judge_execution *x, const struct judge_violation *v)
{
    struct history *h = history_create();
    struct budget budget = budget_start(10, 0);
    const struct plumb_spec *of_object[] = {b->of_objects[spec][0]};
    struct plumb_values *own = h->values;
    h->values = b->values;
    for (uint32_t i = 0; i < x->count; i++) {
        if (!(v->members >> i & 1))
            continue;
        const char *name = of_object[0]->operations[x->ops[i].op].name;
        bool pending = !(x->completed >> i & 1);
        history_add(h,
                    (struct history_op){.call = v->call[i],
                                        .ret = v->ret[i],
                                        .arg = x->ops[i].arg,
                                        .result = x->ops[i].result,
                                        .pending = pending,
                                        .thread = history_thread(h, plumb_int(b->values, x->ops[i].thread)),
                                        .op = history_op_name(h, name, strlen(name))},
                    0);
    }
    history_object(h, PLUMB_NONE);
    struct monitor_settings settings = {.options = &b->options, .specs = of_object, .budget = &budget};
    struct monitor_result result;
    struct diagnostic d = {0};
    if (!spec_bind(h, of_object, &d) || !monitor_history(h, &settings, &result, &d)) {
        fprintf(stderr, "%s\n", d.message);
        fail(b, s, "the monitor does not accept the history of a violation");
    }
    if (result.verdict != VERDICT_VIOLATED)
        fail(b, s, "the monitor finds nothing wrong with the history of a violation");
    monitor_result_free(&result);
    h->values = own;
    history_destroy(h);
}

static void confirm(struct bench *b, uint32_t spec, const struct sketch *s, const struct judge_execution *x,
                    const struct judge_violation *v)
{
    struct judge_settings settings = settings_of(b, spec);
    if (judge_confirm(&settings, x, v) != VERDICT_VIOLATED)
        fail(b, s, "a violation is not confirmed");
    uint64_t orders[SKETCH_OPS] = {0};
    const uint32_t *numbers = judge_graph_numbers(b->reader);
    for (uint32_t a = 0; a < x->count; a++)
        for (uint32_t c = 0; c < x->count; c++)
            if (v->orders[a] >> c & 1)
                orders[numbers[a]] |= UINT64_C(1) << numbers[c];
    struct graph *g = sketch_graph(s, b->model, orders, 0);
    if (!g || !model_is_consistent_full(b->model, g))
        fail(b, s, "there is no such client");
    graph_free(g);
    seen.unstamped += !v->stamped;
    if (v->stamped && v->waits == JUDGE_NO_OP)
        confirm_by_monitor(b, spec, s, x, v);
}

/* --- one execution ------------------------------------------------------------------------------------------------------ */

/* Time that has one order is a special case of time that has none. */
static void check_weak_way(struct bench *b, uint32_t spec, const struct sketch *s,
                           const struct judge_execution *x, enum verdict timed)
{
    static struct judge_execution weak;
    static struct judge_violation v;
    weak = *x;
    weak.timed = false;
    memcpy(weak.hinder, weak.knows, sizeof weak.knows);
    memcpy(weak.causes, weak.knows, sizeof weak.knows);
    weak.is_consistent = NULL;
    seen.weak_way++;
    if (judge_decide(b->judges[spec], &weak, &v) != timed)
        fail(b, s, "judged without one order of time the answer is another");
}

static int ask_oracle(const struct bench *b, const struct sketch *s, bool interleaved)
{
    return interleaved ? sketch_holds_interleaved(s, b->values) : sketch_holds(s, b->model, b->values);
}

/* Does leaving out what runs alone change what synchronization from each note to each other one makes of the graph? */
static void check_left_out(struct bench *b, const struct sketch *s, const struct graph *g)
{
    uint32_t before = GRAPH_NONE; /* a second order beside, now and then */
    for (uint32_t from = 0; from < g->count; from++)
        for (uint32_t to = 0; to < g->count; to++) {
            if (!graph_is_note(&g->events[from]) || !graph_is_note(&g->events[to]) || from == to)
                continue;
            struct model_order orders[] = {{from, to}, {to, before}};
            uint32_t count = before != GRAPH_NONE && before != to && (from + to) % 2 ? 2 : 1;
            bool whole = model_is_consistent_with(b->model, g, orders, count);
            if (model_stays_consistent(b->model, g, orders, count) != whole)
                fail(b, s, "what runs alone makes a difference");
            seen.impossible += !whole;
            before = from;
        }
}

static void check_one(struct bench *b, uint32_t spec, const struct sketch *s, bool interleaved, uint64_t seed)
{
    static struct judge_execution x;
    static struct judge_violation v;
    struct judge_op ops[SKETCH_OPS];
    int expected = ask_oracle(b, s, interleaved);
    if (expected < 0) {
        seen.skipped++;
        return;
    }
    list_ops(b, spec, s, ops);
    struct graph *g = sketch_graph(s, b->model, NULL, seed);
    if (!judge_graph_read(b->reader, g, ops, s->op_count, &x))
        fail(b, s, "too many operations");
    x.ending = (enum judge_ending)s->ending;
    enum verdict verdict = judge_decide(b->judges[spec], &x, &v);
    if (verdict != (expected ? VERDICT_HOLDS : VERDICT_VIOLATED))
        fail(b, s, expected ? "brute force finds nothing wrong" : "brute force finds a violation");
    if (judge_decide(b->judges[spec], &x, NULL) != verdict)
        fail(b, s, "the second time the answer is another");
    if (x.timed)
        check_weak_way(b, spec, s, &x, verdict);
    if (verdict == VERDICT_VIOLATED)
        confirm(b, spec, s, &x, &v);
    if (seen.cases % 32 == 0)
        check_left_out(b, s, g);
    graph_free(g);
    seen.cases++;
    seen.violated += verdict == VERDICT_VIOLATED;
    seen.stuck += s->ending == SKETCH_STUCK;
    seen.cut += s->ending == SKETCH_CUT;
}

static void check_many(const struct memory_model *model, uint64_t count, uint64_t seed, const char *only)
{
    struct bench b;
    bool sc = model == &model_sc;
    bench_open(&b, model);
    memset(&seen, 0, sizeof seen);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t state = hash_combine(seed, i);
        uint32_t spec = (uint32_t)(i % SPECS);
        bool interleaved = sc && i / SPECS % 3 != 0; /* the rest by all clients */
        struct sketch_wishes w = {.model = model,
                                  .spec = specs[spec],
                                  .ops_most = interleaved     ? 6
                                              : i / SPECS % 2 ? 3
                                                              : 4,
                                  .threads_most = 3,
                                  .objects = i / SPECS % 5 == 4 ? 2 : 1};
        struct sketch s;
        if ((only && strcmp(only, specs[spec]) != 0) || !sketch_random(&s, &w, b.values, &state))
            continue;
        check_one(&b, spec, &s, interleaved, i % 2 ? state : 0);
    }
    uint64_t recognised = 0;
    for (uint32_t i = 0; i < SPECS; i++)
        recognised += judge_counts(b.judges[i])->recognised;
    printf("%s: %lu executions (%lu stuck, %lu cut), %lu violated (%lu without stamps), %lu recognised, "
           "%lu skipped, %lu orders impossible\n",
           model->name, seen.cases, seen.stuck, seen.cut, seen.violated, seen.unstamped, recognised,
           seen.skipped, seen.impossible);
    bench_close(&b);
}

int main(int argc, char **argv)
{
    uint64_t count = 3000, seed = 1;
    const char *model = NULL, *only = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--count") == 0)
            count = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--model") == 0)
            model = argv[i + 1];
        else if (strcmp(argv[i], "--spec") == 0)
            only = argv[i + 1];
    }
    static const struct memory_model *const models[] = {&model_sc, &model_tso, &model_rc11};
    for (uint32_t i = 0; i < 3; i++)
        if (!model || strcmp(model, models[i]->name) == 0)
            check_many(models[i], models[i] == &model_sc ? 2 * count : count, seed, only);
    return 0;
}
