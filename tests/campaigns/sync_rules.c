/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of synchronization against brute force: random executions of every specification, and what happens before what in random
 * graphs. sync_rules [--count N] [--seed S] [--spec NAME] */
#include "base/memory.h"
#include "judge/judge_sync.h"
#include "oracle/random_history.h"
#include "oracle/sketch.h"
#include "oracle/sync_oracle.h"
#include "spec/registry.h"
#include "support/oracle_product.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    uint64_t cases, broken, without_order, graphs, ordered;
} seen;

static uint32_t below(uint64_t *seed, uint32_t n)
{
    *seed += 0x9e3779b97f4a7c15u;
    return (uint32_t)(hash_word(*seed) >> 20) % n;
}

/* --- executions --------------------------------------------------------------------------------------------------------- */

/* Of the order in time some is known: program order, and of the rest as much as the dice say. */
static void relate(struct sync_oracle *o, const struct history *h, uint64_t *seed)
{
    uint32_t known = 20 + below(seed, 80), ordered = below(seed, 60);
    for (uint32_t a = 0; a < o->count; a++)
        for (uint32_t b = 0; b < o->count; b++) {
            const struct history_op *x = history_at(h, a), *y = history_at(h, b);
            bool precedes = a != b && o->ops[a].completed && x->ret < y->call;
            o->after[a][b] = precedes && (x->thread == y->thread || below(seed, 100) < ordered);
            o->before[a][b] = a != b && o->ops[b].completed && x->call < y->ret && below(seed, 100) < known;
        }
    sync_oracle_close(o);
}

/* False: it is too long, or an answer is not known. */
static bool take_apart(struct sync_oracle *o, const struct history *h)
{
    o->count = (uint32_t)h->ops.len;
    if (o->count > SYNC_ORACLE_OPS - 1 || h->ops.len == 0)
        return false;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct history_op *op = history_at(h, i);
        o->ops[i] = (struct sync_oracle_op){h->op_names.data[op->op], op->arg,     op->result, op->thread,
                                            history_object_of(h, i),  !op->pending};
        if (!op->pending && op->result == PLUMB_ANY)
            return false;
    }
    return true;
}

static void fill_execution(const struct sync_oracle *o, const struct plumb_spec *spec,
                           struct judge_execution *x, uint64_t *before)
{
    memset(x, 0, sizeof *x);
    x->count = o->count;
    for (uint32_t i = 0; i < o->count; i++) {
        const struct sync_oracle_op *op = &o->ops[i];
        x->ops[i] = (struct judge_op){op->arg, op->completed ? op->result : PLUMB_ANY,
                                      spec_operation(spec, op->name), op->thread, op->object};
        x->completed |= (uint64_t)op->completed << i;
        x->hint[i] = (uint8_t)(o->count - 1 - i);
        before[i] = 0;
        for (uint32_t b = 0; b < o->count; b++) {
            x->after[i] |= (uint64_t)o->after[i][b] << b;
            before[i] |= (uint64_t)o->before[i][b] << b;
        }
    }
}

static void fail(const struct sync_oracle *o, const char *what)
{
    static const char *const bits[] = {".", "1"};
    fprintf(stderr, "%s: %s%s\n", o->spec->name, what, o->all ? " (all rules)" : "");
    for (uint32_t i = 0; i < o->count; i++) {
        fprintf(stderr, "%u: object %u thread %u %s %lx = %lx%s  before ", i, o->ops[i].object,
                o->ops[i].thread, o->ops[i].name, o->ops[i].arg, o->ops[i].result,
                o->ops[i].completed ? "" : " (pending)");
        for (uint32_t b = 0; b < o->count; b++)
            fputs(bits[o->before[i][b]], stderr);
        fputs(" after ", stderr);
        for (uint32_t b = 0; b < o->count; b++)
            fputs(bits[o->after[i][b]], stderr);
        fputs("\n", stderr);
    }
    exit(1);
}

/* What the violation says has to be so, and to heal it there it must not be enough to look elsewhere. */
static void check_violation(struct sync_oracle *o, const struct judge_sync_violation *v)
{
    if (v->earlier >= o->count || v->later >= o->count || !o->ops[v->earlier].completed)
        fail(o, "the violation names no operations");
    if (o->before[v->earlier][v->later])
        fail(o, "the violation names operations that are in order");
    if (o->ops[v->earlier].object != o->ops[v->later].object)
        fail(o, "the violation names operations of different objects");
    for (uint32_t k = 0; k < v->order_count; k++)
        if (v->order[k] == v->later)
            fail(o, "the order has the operation that is wrong");
}

static void check_one(struct judge_sync *judge, struct sync_oracle *o, const struct plumb_spec *spec)
{
    static struct judge_execution x;
    uint64_t before[JUDGE_OPS_MAX];
    uint32_t numbers[SYNC_ORACLE_OPS];
    struct judge_sync_violation v;
    for (uint32_t i = 0; i < SYNC_ORACLE_OPS; i++)
        numbers[i] = i;
    fill_execution(o, spec, &x, before);
    static const enum verdict expected[] = {VERDICT_HOLDS, VERDICT_VIOLATED, VERDICT_INCONCLUSIVE};
    enum sync_oracle_answer answer = judge_sync_has_rules(judge) ? sync_oracle_ask(o) : SYNC_KEPT;
    enum verdict verdict = judge_sync_decide(judge, &x, before, numbers, &v);
    if (verdict != expected[answer])
        fail(o, answer == SYNC_KEPT     ? "brute force finds an order that keeps the rules"
                : answer == SYNC_BROKEN ? "brute force finds that no order keeps the rules"
                                        : "brute force finds no legal order");
    if (judge_sync_decide(judge, &x, before, numbers, NULL) != verdict)
        fail(o, "the second time the answer is another");
    if (verdict == VERDICT_VIOLATED)
        check_violation(o, &v);
    seen.cases++;
    seen.broken += answer == SYNC_BROKEN;
    seen.without_order += answer == SYNC_NO_ORDER;
}

static void check_history(const struct oracle_spec *model, uint64_t seed)
{
    struct history *h = history_create();
    struct sync_oracle o = {.spec = model, .values = h->values, .all = seed % 3 == 0};
    o.initial = random_history(h, model, seed);
    const struct plumb_spec *spec = oracle_product(model), *specs[] = {spec, spec};
    if (take_apart(&o, h)) {
        struct plumb_spec_options options = {.values = h->values, .initial = o.initial};
        struct judge_sync_settings settings = {
            .specs = specs, .objects = 2, .options = &options, .all = o.all};
        struct judge_sync *judge = judge_sync_new(&settings);
        for (uint32_t k = 0; k < 4; k++) {
            relate(&o, h, &seed);
            check_one(judge, &o, spec);
        }
        judge_sync_free(judge);
    }
    history_destroy(h);
}

/* --- graphs ------------------------------------------------------------------------------------------------------------- */

enum { GRAPH_EVENTS = 160 };

static bool po(const struct graph *g, uint32_t a, uint32_t b)
{
    const struct graph_event *x = &g->events[a], *y = &g->events[b];
    return x->type != GRAPH_INIT && x->thread == y->thread && x->index < y->index;
}

static bool is_fence(const struct graph *g, uint32_t e)
{
    return g->events[e].type == GRAPH_FENCE;
}

static bool in_release_sequence(const struct graph *g, uint32_t w, uint32_t read)
{
    const struct graph_event *ev = &g->events[read];
    return w == read || (ev->type == GRAPH_WRITE && ev->flags & GRAPH_UPDATE &&
                         in_release_sequence(g, w, g->events[ev->po_before].rf));
}

/* Write w or a fence before it, and read r or a fence after it. */
static bool synchronizes(const struct graph *g, uint32_t a, uint32_t b)
{
    for (uint32_t w = 0; w < g->count; w++)
        for (uint32_t r = 0; r < g->count; r++)
            if (g->events[w].type == GRAPH_WRITE && g->events[r].type == GRAPH_READ &&
                !(g->events[r].flags & GRAPH_BLOCKED) && (a == w || (is_fence(g, a) && po(g, a, w))) &&
                (b == r || (is_fence(g, b) && po(g, r, b))) && graph_is_release(g->events[a].order) &&
                graph_is_acquire(g->events[b].order) && in_release_sequence(g, w, g->events[r].rf))
                return true;
    return false;
}

static void find_happens_before(const struct graph *g, bool hb[GRAPH_EVENTS][GRAPH_EVENTS])
{
    for (uint32_t a = 0; a < g->count; a++)
        for (uint32_t b = 0; b < g->count; b++) {
            const struct graph_event *x = &g->events[a], *y = &g->events[b];
            hb[a][b] = po(g, a, b) ||
                       (x->type == GRAPH_CREATE && y->type == GRAPH_BEGIN && x->address == y->thread) ||
                       (y->type == GRAPH_JOIN && x->type == GRAPH_END && x->thread == y->address) ||
                       (x->type != GRAPH_INIT && y->type != GRAPH_INIT && x->thread != y->thread &&
                        synchronizes(g, a, b));
        }
    for (uint32_t k = 0; k < g->count; k++)
        for (uint32_t a = 0; a < g->count; a++)
            for (uint32_t b = 0; hb[a][k] && b < g->count; b++)
                hb[a][b] |= hb[k][b];
}

static uint32_t find_mark(const struct graph *g, enum event_kind kind, uint32_t op)
{
    for (uint32_t e = 0; e < g->count; e++)
        if (g->events[e].type == GRAPH_MARK && g->events[e].label.kind == kind && g->events[e].value == op)
            return e;
    return GRAPH_NONE;
}

static void check_graph(const struct sketch *s, struct graph *g, struct judge_graph *reader)
{
    static bool hb[GRAPH_EVENTS][GRAPH_EVENTS];
    static struct judge_execution x;
    struct judge_op ops[SKETCH_OPS];
    uint64_t before[JUDGE_OPS_MAX];
    for (uint32_t i = 0; i < s->op_count; i++)
        ops[i] = (struct judge_op){s->ops[i].arg, s->ops[i].result, 0, s->ops[i].thread, 0};
    if (g->count > GRAPH_EVENTS || !judge_graph_read(reader, g, ops, s->op_count, &x))
        return;
    judge_graph_before(reader, before);
    find_happens_before(g, hb);
    const uint32_t *numbers = judge_graph_numbers(reader);
    for (uint32_t a = 0; a < x.count; a++)
        for (uint32_t b = 0; b < x.count; b++) {
            uint32_t call = find_mark(g, EVENT_OP_CALL, numbers[a]),
                     ret = find_mark(g, EVENT_OP_RETURN, numbers[b]);
            bool expected = ret != GRAPH_NONE && hb[call][ret];
            if (expected != (before[a] >> b & 1)) {
                fprintf(stderr, "graph: operations %u and %u\n", numbers[a], numbers[b]);
                exit(1);
            }
            seen.ordered += expected;
        }
    seen.graphs++;
}

static void check_graphs(uint64_t count, uint64_t seed)
{
    struct plumb_values *values = plumb_values_create();
    struct judge_graph *reader = judge_graph_new(&model_rc11);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t state = hash_combine(seed, i);
        struct sketch_wishes w = {.model = &model_rc11,
                                  .spec = i % 2 ? "queue" : "lock",
                                  .ops_most = 4,
                                  .threads_most = 3,
                                  .objects = 1};
        struct sketch s;
        if (!sketch_random(&s, &w, values, &state))
            continue;
        struct graph *g = sketch_graph(&s, &model_rc11, NULL, i % 3 ? state : 0);
        check_graph(&s, g, reader);
        graph_free(g);
    }
    judge_graph_free(reader);
    plumb_values_destroy(values);
}

int main(int argc, char **argv)
{
    uint64_t count = 20000, seed = 1;
    const char *only = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--count") == 0)
            count = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--spec") == 0)
            only = argv[i + 1];
    }
    for (unsigned k = 0; k < oracle_spec_count; k++) {
        if (only && strcmp(only, oracle_specs[k].name) != 0)
            continue;
        memset(&seen, 0, sizeof seen);
        for (uint64_t i = 0; i < count / oracle_spec_count + 1; i++)
            check_history(&oracle_specs[k], hash_combine(seed, i * oracle_spec_count + k));
        printf("%s: %lu executions, %lu break a rule, %lu without a legal order\n", oracle_specs[k].name,
               seen.cases, seen.broken, seen.without_order);
    }
    check_graphs(count / 40, seed);
    printf("graphs: %lu, %lu pairs in order\n", seen.graphs, seen.ordered);
    return 0;
}
