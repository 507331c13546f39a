/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/judge_history.h"

#include "base/budget.h"
#include "base/check.h"
#include "history/jsonl.h"
#include "history/value_text.h"
#include "judge/judge_graph.h"
#include "monitor/monitor.h"
#include "spec/registry.h"
#include "worker/count_histories.h"

#include <stdio.h>
#include <string.h>

/* What one history may cost: less than what the tool takes for a worker that is stuck. */
enum { JUDGE_SECONDS = 5, JUDGE_BYTES = 1 << 28 };

/* What identifies a history of the test: two operations compare as their rounds do, because a round is a
 * number of calls followed by a number of returns. */
struct fingerprint {
    uint32_t called, returned; /* in which round; 0: not */
    plumb_value result;
};

static struct {
    struct history *history;
    const struct plumb_spec *const *specs;
    struct history_op *blank;   /* the operations as they were given */
    struct history_op *stamped; /* and as they were executed */
    uint32_t *objects, object_count;
    const char **names; /* of the operations' operations */
    uint32_t count;
    uint32_t *log; /* in time order: operation << 1 | does it return */
    uint32_t log_length;
    plumb_value *results;
    uint32_t *returned; /* operations, in the order in which they did */
    struct fingerprint *fingerprints;
    struct hash_map judged;
    struct plumb_spec_options options;
    struct judge_op *ops; /* for executions that are graphs; the results are those seen last */
    struct judge *by_graph;
    struct judge_graph *reader;
    struct hash_map fitting; /* results that the specification knows */
    struct judge_execution execution;
    struct judge_violation violation;
    bool forgetful;
    bool told; /* the violation's stamps are those of the history */
} judge;

bool judge_prepare(struct history *h, const struct plumb_spec *const *specs, struct diagnostic *d)
{
    uint32_t count = (uint32_t)h->ops.len;
    judge.history = h;
    judge.specs = specs;
    judge.count = count;
    judge.blank = NEW_ARRAY(struct history_op, count);
    judge.stamped = NEW_ARRAY(struct history_op, count);
    judge.objects = NEW_ARRAY(uint32_t, count);
    judge.names = NEW_ARRAY(const char *, count);
    judge.log = NEW_ARRAY(uint32_t, 2 * (size_t)count);
    judge.results = NEW_ARRAY(plumb_value, count);
    judge.returned = NEW_ARRAY(uint32_t, count);
    judge.fingerprints = NEW_ARRAY(struct fingerprint, count);
    for (uint32_t i = 0; i < count; i++) {
        judge.blank[i] = h->ops.data[i];
        judge.names[i] = h->op_names.data[h->ops.data[i].op];
        judge.objects[i] = history_object_of(h, i);
    }
    judge.options = (struct plumb_spec_options){.values = h->values, .initial = PLUMB_OK};
    if (!spec_bind(h, specs, d))
        return false;
    judge.ops = NEW_ARRAY(struct judge_op, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct history_op *op = &h->ops.data[i];
        judge.ops[i] = (struct judge_op){op->arg, PLUMB_ANY, op->op, op->thread, judge.objects[i]};
    }
    return true;
}

void judge_begin(void)
{
    judge.log_length = 0;
}

void judge_call(uint32_t op)
{
    CHECK(judge.log_length < 2 * judge.count);
    judge.log[judge.log_length++] = op << 1;
}

void judge_return(uint32_t op, plumb_value result)
{
    CHECK(judge.log_length < 2 * judge.count);
    judge.log[judge.log_length++] = op << 1 | 1;
    judge.results[op] = result;
}

bool judge_is_within(void)
{
    uint32_t calls = 0;
    for (uint32_t k = 0; k < judge.log_length; k++)
        calls += !(judge.log[k] & 1);
    return 2 * calls > judge.log_length;
}

size_t judge_returned(const uint32_t **returned, const plumb_value **results, uint32_t *called)
{
    size_t count = 0;
    *called = UINT32_MAX;
    for (uint32_t k = 0; k < judge.log_length; k++) {
        *called = judge.log[k] & 1 ? UINT32_MAX : judge.log[k] >> 1;
        if (judge.log[k] & 1)
            judge.returned[count++] = judge.log[k] >> 1;
    }
    *returned = judge.returned;
    *results = judge.results;
    return count;
}

/* ------------------------------------------------------------------ was it judged before? */

static uint64_t hash_execution(void)
{
    uint32_t round = 1;
    bool returning = false;
    for (uint32_t i = 0; i < judge.count; i++)
        judge.fingerprints[i] = (struct fingerprint){0, 0, PLUMB_ANY};
    for (uint32_t k = 0; k < judge.log_length; k++) {
        struct fingerprint *f = &judge.fingerprints[judge.log[k] >> 1];
        bool returns = judge.log[k] & 1;
        round += returning && !returns;
        returning = returns;
        if (returns) {
            f->returned = round;
            f->result = judge.results[judge.log[k] >> 1];
        } else {
            f->called = round;
        }
    }
    return hash_bytes(judge.fingerprints, judge.count * sizeof *judge.fingerprints);
}

/* What is kept about a history that was judged. A wrong one is told each time. */
enum { JUDGED_FINE = 1, JUDGED_WRONG };

/* ------------------------------------------------------------------ judging */

static void note_clients_stamps(void)
{
    const struct judge_violation *v = &judge.violation;
    const uint32_t *numbers = judge_graph_numbers(judge.reader);
    for (uint32_t i = 0; i < judge.count; i++)
        judge.fingerprints[i].called = 0;
    for (uint32_t i = 0; i < judge.execution.count; i++) {
        struct history_op *op = &judge.stamped[numbers[i]];
        judge.fingerprints[numbers[i]].called = v->members >> i & 1;
        op->call = v->call[i];
        if (!(judge.execution.completed >> i & 1))
            continue;
        op->ret = v->ret[i];
        op->result = judge.results[numbers[i]];
        op->pending = 0;
    }
}

static void note_stamps(void)
{
    if (judge.told) {
        note_clients_stamps();
        return;
    }
    for (uint32_t k = 0; k < judge.log_length; k++) {
        uint32_t number = judge.log[k] >> 1;
        struct history_op *op = &judge.stamped[number];
        if (judge.log[k] & 1) {
            op->ret = k + 1;
            op->result = judge.results[number];
            op->pending = 0;
        } else {
            op->call = k + 1;
        }
    }
}

/* Operations that were never called are no part of the history. */
static void fill_history(void)
{
    struct history *h = judge.history;
    for (uint32_t i = 0; i < judge.count; i++)
        judge.stamped[i] = judge.blank[i];
    note_stamps();
    vec_clear(&h->ops);
    vec_clear(&h->objects);
    for (uint32_t i = 0; i < judge.count; i++)
        if (judge.fingerprints[i].called)
            history_add(h, judge.stamped[i], judge.objects[i]);
}

/* The operations on the object that is not linearizable, as JSON lines. */
static void write_history(struct worker_shared *shared, uint32_t object)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    CHECK(out);
    for (size_t i = 0; i < judge.history->ops.len; i++)
        if (history_object_of(judge.history, i) == object)
            jsonl_write_op(out, judge.history, i);
    fclose(out);
    shared->history_length = 0;
    if (length <= sizeof shared->history) {
        for (size_t k = 0; k < length; k++)
            shared->history[k] = text[k];
        shared->history_length = (uint32_t)length;
    }
    free(text);
}

static void report_violation(struct worker_shared *shared, const struct monitor_violation *v)
{
    struct worker_error *error = &shared->error;
    fill_history(); /* unbound again: lines have the names of the harness */
    write_history(shared, v->object);
    snprintf(shared->judged_by, sizeof shared->judged_by, "%s", judge.specs[v->object]->name);
    size_t length = strlen(v->why);
    bool stop = length && v->why[length - 1] == '.'; /* messages have none */
    snprintf(error->message, sizeof error->message, "%.*s", (int)(length - stop), v->why);
    error->kind = WORKER_ERROR_NOT_LINEARIZABLE;
    error->phase = WORKER_RUNNING;
    error->stack_count = 0;
    error->address = 0;
}

static enum judge_answer conclude(struct worker_shared *shared, const struct monitor_result *result)
{
    if (result->verdict == VERDICT_INCONCLUSIVE) {
        shared->undecided++;
        shared->limits |= LIMIT_UNDECIDED;
        return JUDGE_FINE; /* as far as is known: the limit is named with the answer */
    }
    if (result->verdict == VERDICT_HOLDS)
        return JUDGE_FINE;
    report_violation(shared, result->violation);
    return JUDGE_WRONG;
}

static enum judge_answer judge_log(struct worker_shared *shared, struct diagnostic *d)
{
    fill_history();
    if (!spec_bind(judge.history, judge.specs, d))
        return JUDGE_UNFIT;
    struct budget budget =
        budget_start(JUDGE_SECONDS, shared->config.judge_bytes ? shared->config.judge_bytes : JUDGE_BYTES);
    struct monitor_settings settings = {.options = &judge.options, .specs = judge.specs, .budget = &budget};
    struct monitor_result result;
    if (!monitor_history(judge.history, &settings, &result, d))
        return JUDGE_UNFIT;
    enum judge_answer answer = conclude(shared, &result);
    monitor_result_free(&result);
    return answer;
}

enum judge_answer judge_end(struct worker_shared *shared, struct diagnostic *d)
{
    uint64_t hash = hash_execution();
    if (hash_map_get(&judge.judged, hash) == JUDGED_FINE)
        return JUDGE_FINE;
    enum judge_answer answer = judge_log(shared, d);
    *hash_map_at(&judge.judged, hash) = answer == JUDGE_WRONG ? JUDGED_WRONG : JUDGED_FINE;
    return answer;
}

/* ------------------------------------------------------------------ graphs */

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
    judge.by_graph = new_judge();
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
    hash_execution();
    fill_history();
    return spec_bind(judge.history, judge.specs, d);
}

static enum judge_answer give_up(struct worker_shared *shared)
{
    shared->undecided++;
    shared->limits |= judge.count > JUDGE_OPS_MAX ? LIMIT_OPERATIONS : LIMIT_UNDECIDED;
    return JUDGE_FINE;
}

/* As it was: whoever returned before another was called is before it, and nothing else can be ordered. */
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

enum judge_answer judge_stuck(struct worker_shared *shared, const struct graph *g, uint32_t *waits,
                              struct diagnostic *d)
{
    struct judge_execution *x = &judge.execution;
    if (!judge.by_graph)
        prepare_graphs(shared);
    if (!results_fit(d))
        return JUDGE_UNFIT;
    const uint32_t *numbers = read_execution(shared, g);
    if (!numbers)
        return give_up(shared);
    x->ending = JUDGE_STUCK;
    switch (judge_decide(judge.by_graph, x, &judge.violation)) {
    case JUDGE_HOLDS: return JUDGE_FINE;
    case JUDGE_UNDECIDED: return give_up(shared);
    case JUDGE_VIOLATED: break;
    }
    *waits = judge.violation.waits == JUDGE_NO_OP ? UINT32_MAX : numbers[judge.violation.waits];
    return JUDGE_WRONG;
}

enum judge_answer judge_count(struct worker_shared *shared, const struct graph *g, bool stuck,
                              struct diagnostic *d)
{
    if (!judge.by_graph)
        prepare_graphs(shared);
    if (!results_fit(d))
        return JUDGE_UNFIT;
    const uint32_t *numbers = read_execution(shared, g);
    if (!numbers)
        return give_up(shared);
    judge.execution.ending = stuck ? JUDGE_STUCK : JUDGE_ENDED;
    count_histories(shared, judge.by_graph, &judge.execution, numbers);
    return JUDGE_FINE;
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

/* Weak memory has clients whose orders are no history: they are told one by one. A search that shares no code with the first
 * has to agree. */
static enum judge_answer report_orders(struct worker_shared *shared)
{
    const struct judge_violation *v = &judge.violation;
    const struct judge_execution *x = &judge.execution;
    struct judge_settings settings = {
        .specs = judge.specs, .objects = judge.object_count, .options = &judge.options};
    if (judge_confirm(&settings, x, v) != JUDGE_VIOLATED)
        return give_up(shared);
    struct text t = {0};
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
    struct worker_error *error = &shared->error;
    snprintf(error->message, sizeof error->message, "%s", t.data);
    snprintf(shared->judged_by, sizeof shared->judged_by, "%s", judge.specs[v->object]->name);
    shared->judged_partly = 1;
    shared->history_length = 0;
    error->kind = WORKER_ERROR_NOT_LINEARIZABLE;
    error->phase = WORKER_RUNNING;
    error->stack_count = 0;
    error->address = 0;
    text_free(&t);
    return JUDGE_WRONG;
}

/* A replay builds its graph in another order, and its judge has met no other execution: it must find the same client. */
static enum judge_verdict find_client(void)
{
    struct judge_execution *x = &judge.execution;
    for (uint32_t i = 0; i < x->count; i++)
        x->hint[i] = (uint8_t)i;
    judge_free(judge.by_graph);
    judge.by_graph = new_judge();
    return judge_decide(judge.by_graph, x, &judge.violation);
}

enum judge_answer judge_end_graph(struct worker_shared *shared, const struct graph *g, struct diagnostic *d)
{
    struct judge_execution *x = &judge.execution;
    if (!judge.by_graph)
        prepare_graphs(shared);
    if (!results_fit(d))
        return JUDGE_UNFIT;
    read_graph(shared, g);
    x->ending = JUDGE_ENDED;
    enum judge_verdict verdict = judge_decide(judge.by_graph, x, NULL);
    if (verdict == JUDGE_HOLDS)
        return JUDGE_FINE;
    if (verdict == JUDGE_UNDECIDED)
        return give_up(shared);
    verdict = find_client();
    if (verdict != JUDGE_VIOLATED)
        return give_up(shared);
    if (!judge.violation.stamped)
        return report_orders(shared);
    judge.told = true;
    enum judge_answer answer = judge_log(shared, d);
    judge.told = false;
    CHECK(answer != JUDGE_FINE || shared->undecided); /* the monitor has the last word, and agrees */
    return answer;
}
