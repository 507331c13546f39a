/* SPDX-License-Identifier: Apache-2.0 */
/* Judging for every client: the execution as a graph, or as an order that no client can change. */
#include "base/check.h"
#include "history/value_text.h"
#include "spec/registry.h"
#include "spec/serial/serial.h"
#include "worker/verdict/verdict_state.h"

#include <stdio.h>
#include <string.h>

static struct judge *new_judge(void)
{
    struct judge_settings settings = {.specs = judge.specs,
                                      .objects = judge.object_count,
                                      .options = &judge.options,
                                      .forgetful = judge.forgetful};
    return judge_new(&settings);
}

static void prepare_graphs(struct worker_shared *shared)
{
    for (uint32_t i = 0; i < judge.count; i++)
        if (judge.objects[i] >= judge.object_count)
            judge.object_count = judge.objects[i] + 1;
    judge.forgetful = shared->config.count == COUNT_REPEATED;
    judge.clients = new_judge();
    judge.reader = judge_graph_new(model_find(*shared->config.memory ? shared->config.memory : "sc"));
}

/* Every answer has to be one that the specification knows; most have been seen before. */
static bool results_fit(struct diagnostic *d)
{
    bool known = true;
    for (uint32_t k = 0; k < judge.log_length; k++) {
        uint32_t number = judge.log[k] >> 1;
        if (!(judge.log[k] & 1))
            continue;
        judge.ops[number].result = judge.results[number];
        uint32_t *seen = hash_map_at(&judge.fitting, hash_combine(judge.results[number], number));
        known &= *seen != HASH_NO_NUMBER;
        *seen = 1;
    }
    if (known)
        return true;
    judge_hash_execution();
    judge_fill_history();
    return judge_bind_history(d);
}

static enum judge_answer give_up(struct worker_shared *shared)
{
    shared->undecided++;
    shared->limits |= judge.count > JUDGE_OPS_MAX ? LIMIT_OPERATIONS : LIMIT_UNDECIDED;
    return JUDGE_FINE;
}

/* As it was: an operation that returned before another was called is before it, and nothing else can be ordered. */
static void read_log(struct judge_execution *x)
{
    uint64_t called = 0, returned = 0;
    *x = (struct judge_execution){.timed = true};
    uint8_t place[JUDGE_OPS_MAX];
    for (uint32_t k = 0; k < judge.log_length; k++) {
        uint32_t number = judge.log[k] >> 1;
        if (judge.log[k] & 1)
            continue;
        place[number] = (uint8_t)x->count;
        x->hint[x->count] = (uint8_t)x->count;
        x->ops[x->count] = judge.ops[number];
        x->ops[x->count++].result = PLUMB_ANY;
    }
    for (uint32_t k = 0; k < judge.log_length; k++) {
        uint32_t number = judge.log[k] >> 1, i = place[number];
        uint64_t bit = UINT64_C(1) << i;
        if (judge.log[k] & 1) {
            x->ops[i].result = judge.results[number];
            x->completed |= bit;
            for (uint64_t left = called; left; left &= left - 1)
                x->knows[__builtin_ctzll(left)] |= bit;
            returned |= bit;
        } else {
            for (uint64_t left = returned; left; left &= left - 1)
                x->after[__builtin_ctzll(left)] |= bit;
            called |= bit;
        }
    }
}

static const uint32_t *numbers_of_log(uint32_t *numbers)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < judge.log_length; k++)
        if (!(judge.log[k] & 1))
            numbers[count++] = judge.log[k] >> 1;
    return numbers;
}

static void read_graph(const struct worker_shared *shared, const struct graph *g)
{
    judge_graph_read(judge.reader, g, judge.ops, judge.count, &judge.execution);
    if (shared->config.client_fixed)
        judge_fix_client(&judge.execution);
}

/* What happened, as the judge sees it: of a schedule, without a graph, exactly that. Null: there is too much of it. */
static const uint32_t *read_execution(const struct worker_shared *shared, const struct graph *g)
{
    static uint32_t of_log[JUDGE_OPS_MAX];
    if (judge.count > JUDGE_OPS_MAX)
        return NULL;
    if (g) {
        read_graph(shared, g);
        return judge_graph_numbers(judge.reader);
    }
    read_log(&judge.execution);
    return numbers_of_log(of_log);
}

/* The history as it happened, for those who look into the file of serial histories. */
static void keep_stuck(struct worker_shared *shared)
{
    uint32_t object = judge.violation.object;
    shared->stuck_length = 0;
    if (judge.specs[object]->kind != PLUMB_KIND_DERIVED)
        return;
    judge_hash_execution();
    judge_fill_history();
    shared->stuck_length = judge_write_history(object, shared->stuck_history, sizeof shared->stuck_history);
}

enum judge_answer judge_read(struct worker_shared *shared, const struct graph *g, const uint32_t **numbers,
                             struct diagnostic *d)
{
    if (!judge.clients)
        prepare_graphs(shared);
    if (!results_fit(d))
        return JUDGE_MISMATCH;
    *numbers = read_execution(shared, g);
    return *numbers ? JUDGE_FINE : give_up(shared);
}

enum judge_answer judge_stuck(struct worker_shared *shared, const struct graph *g, uint32_t *waits,
                              struct diagnostic *d)
{
    struct judge_execution *x = &judge.execution;
    const uint32_t *numbers = NULL;
    enum judge_answer answer = judge_read(shared, g, &numbers, d);
    if (!numbers)
        return answer;
    x->ending = JUDGE_STUCK;
    enum verdict verdict = judge_decide(judge.clients, x, &judge.violation);
    if (verdict != VERDICT_VIOLATED)
        return verdict == VERDICT_HOLDS ? JUDGE_FINE : give_up(shared);
    *waits = judge.violation.waits == JUDGE_NO_OP ? UINT32_MAX : numbers[judge.violation.waits];
    keep_stuck(shared);
    return JUDGE_WRONG;
}

const uint64_t *judge_client(void)
{
    static uint64_t precedes[JUDGE_OPS_MAX];
    if (!judge.reader || judge.count > JUDGE_OPS_MAX)
        return NULL;
    const uint32_t *numbers = judge_graph_numbers(judge.reader);
    memset(precedes, 0, sizeof precedes);
    for (uint32_t a = 0; a < judge.execution.count; a++)
        for (uint32_t b = 0; b < judge.execution.count; b++)
            if (judge.violation.precedes[a] >> b & 1)
                precedes[numbers[a]] |= UINT64_C(1) << numbers[b];
    return precedes;
}

static void add_op(struct text *out, uint32_t i)
{
    const struct judge_op *op = &judge.execution.ops[i];
    struct history_op entry = judge.blank[judge_graph_numbers(judge.reader)[i]];
    entry.result = op->result;
    entry.pending = 0;
    value_print_op(out, judge.history->values, judge.names[judge_graph_numbers(judge.reader)[i]], false,
                   &entry);
}

/* Weak memory has clients whose orders are no history: they are reported one by one. A search that shares no code with the first
 * has to agree. */
static enum judge_answer report_orders(struct worker_shared *shared)
{
    const struct judge_violation *v = &judge.violation;
    const struct judge_execution *x = &judge.execution;
    struct judge_settings settings = {
        .specs = judge.specs, .objects = judge.object_count, .options = &judge.options};
    if (judge_confirm(&settings, x, v) != VERDICT_VIOLATED)
        return give_up(shared);
    OWNED struct text t = {0};
    text_puts(&t, "no order of the operations agrees with all their answers for a client that lets ");
    const char *comma = "";
    for (uint32_t a = 0; a < x->count; a++)
        for (uint32_t b = 0; b < x->count; b++)
            if (v->orders[a] >> b & 1) {
                text_puts(&t, comma);
                add_op(&t, a);
                text_puts(&t, " return before ");
                add_op(&t, b);
                text_puts(&t, " is called");
                comma = ", and ";
            }
    if (!*comma) {
        text_clear(&t);
        text_puts(&t, "no order of the operations agrees with all their answers");
    }
    judge_report_error(shared, WORKER_ERROR_NOT_LINEARIZABLE, "%s", t.data);
    snprintf(shared->judged_by, sizeof shared->judged_by, "%s", judge.specs[v->object]->name);
    shared->judged_partly = 1;
    shared->history_length = 0;
    return JUDGE_WRONG;
}

/* A replay builds its graph in another order, and its judge has met no other execution: it must find the same client. */
static enum verdict find_client(void)
{
    struct judge_execution *x = &judge.execution;
    for (uint32_t i = 0; i < x->count; i++)
        x->hint[i] = (uint8_t)i;
    judge_free(judge.clients);
    judge.clients = new_judge();
    return judge_decide(judge.clients, x, &judge.violation);
}

enum judge_answer judge_end_graph(struct worker_shared *shared, const struct graph *g, struct diagnostic *d)
{
    struct judge_execution *x = &judge.execution;
    if (!judge.clients)
        prepare_graphs(shared);
    if (!results_fit(d))
        return JUDGE_MISMATCH;
    read_graph(shared, g);
    x->ending = JUDGE_ENDED;
    enum verdict verdict = judge_decide(judge.clients, x, NULL);
    if (verdict == VERDICT_HOLDS)
        return JUDGE_FINE;
    if (verdict == VERDICT_INCONCLUSIVE)
        return give_up(shared);
    verdict = find_client();
    if (verdict != VERDICT_VIOLATED)
        return give_up(shared);
    if (!judge.violation.stamped)
        return report_orders(shared);
    judge.has_stamps = true;
    enum judge_answer answer = judge_log(shared, d);
    judge.has_stamps = false;
    CHECK(answer != JUDGE_FINE || shared->undecided); /* the monitor has the last word, and agrees */
    return answer;
}
