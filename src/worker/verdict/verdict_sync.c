/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of synchronization: what an operation answers has to happen before it. */
#include "base/text.h"
#include "engine/graph_mode/graph_mode.h"
#include "graph/weak_link.h"
#include "history/value_text.h"
#include "judge/judge_sync.h"
#include "spec/registry.h"
#include "worker/verdict/verdict_state.h"

#include <stdio.h>
#include <string.h>

static struct {
    const struct judge_named_rule *rules;
    uint32_t rule_count;
    struct judge_sync_named *named; /* the same, for the judge */
    struct judge_sync *judge;
    struct judge_sync_violation violation;
} sync;

void judge_set_rules(const struct judge_named_rule *rules, uint32_t count)
{
    sync.rules = rules;
    sync.rule_count = count;
    sync.named = NEW_ARRAY(struct judge_sync_named, count + 1);
    for (uint32_t i = 0; i < count; i++)
        sync.named[i] = (struct judge_sync_named){rules[i].earlier, rules[i].later};
}

static void prepare(const struct worker_shared *shared)
{
    struct judge_sync_settings settings = {.specs = judge.specs,
                                           .objects = judge.object_count,
                                           .options = &judge.options,
                                           .all = shared->config.sync == SYNC_ALL,
                                           .named = sync.named,
                                           .named_count = sync.rule_count};
    sync.judge = judge_sync_new(&settings);
}

/* --- the report ------------------------------------------------------------------------------------------------ */

static const struct judge_op *op_at(uint32_t i)
{
    return &judge.execution.ops[i];
}

static const char *name_of(uint32_t i)
{
    return judge.names[judge_graph_numbers(judge.reader)[i]];
}

static void print_op(uint32_t i, bool has_result, char *out, size_t size)
{
    OWNED struct text t = {0};
    struct history_op entry = judge.blank[judge_graph_numbers(judge.reader)[i]];
    entry.result = has_result ? op_at(i)->result : PLUMB_OK;
    entry.pending = !(judge.execution.completed >> i & 1);
    value_print_op(&t, judge.history->values, name_of(i), false, &entry);
    snprintf(out, size, "%s", t.data);
}

static void fill_call(const struct graph *g, uint32_t i, struct worker_call *out)
{
    uint32_t call, ret;
    judge_graph_ends(judge.reader, i, &call, &ret);
    *out = (struct worker_call){.thread = g->events[call].thread};
    print_op(i, true, out->text, sizeof out->text);
    out->begin = graph_mode_event_of(call);
    out->end = ret == GRAPH_NONE ? 0 : graph_mode_event_of(ret);
}

/* The state of the object after each call of the order. */
static void fill_states(struct worker_calls *c)
{
    uint32_t object = op_at(c->failed)->object;
    const struct plumb_spec *spec = judge.specs[object];
    void *state = spec_init(spec, &judge.options);
    if (spec->print)
        spec->print(state, c->initial, sizeof c->initial);
    for (uint32_t k = 0; k < c->order_count; k++) {
        const struct judge_op *op = op_at(c->order[k]);
        struct plumb_call call = {op->op, op->thread, op->arg, op->result};
        if (!spec->step(state, &call, 0, NULL))
            break;
        if (spec->print)
            spec->print(state, c->calls[c->order[k]].state, sizeof c->calls[0].state);
    }
    spec->destroy(state);
}

static void fill_rule(const struct judge_sync_violation *v, struct worker_calls *c)
{
    if (!v->is_named) {
        snprintf(c->clause, sizeof c->clause, "%s -> %s", name_of(v->earlier), name_of(v->later));
        return;
    }
    const struct judge_named_rule *rule = &sync.rules[v->rule];
    snprintf(c->clause, sizeof c->clause, "%s", rule->text);
    snprintf(c->file, sizeof c->file, "%s", rule->file);
    c->line = rule->line;
}

static void fill_link(const struct graph *g, const struct judge_sync_violation *v, struct worker_calls *c)
{
    uint32_t call, ret, other;
    struct graph_weak_link link;
    judge_graph_ends(judge.reader, v->earlier, &call, &other);
    judge_graph_ends(judge.reader, v->later, &other, &ret);
    if (!graph_find_weak_link(g, call, ret, &link))
        return;
    c->release = graph_mode_event_of(link.write);
    c->acquire = graph_mode_event_of(link.read);
    c->release_is_strong = !link.write_is_weak;
    c->acquire_is_strong = !link.read_is_weak;
}

static void fill_calls(struct worker_shared *shared, const struct graph *g,
                       const struct judge_sync_violation *v)
{
    struct worker_calls *c = &shared->calls;
    memset(c, 0, sizeof *c);
    c->count = judge.execution.count;
    for (uint32_t i = 0; i < c->count; i++)
        fill_call(g, i, &c->calls[i]);
    c->order_count = v->order_count;
    for (uint32_t k = 0; k < v->order_count; k++)
        c->order[k] = v->order[k];
    c->failed = v->later;
    c->earlier = v->earlier;
    fill_states(c);
    fill_rule(v, c);
    fill_link(g, v, c);
}

/* "deq() = 1 returns what enq(1) put in, but enq(1) does not happen before it: ..." */
static void report(struct worker_shared *shared, const struct judge_sync_violation *v)
{
    char later[120], earlier[120];
    OWNED struct text t = {0};
    print_op(v->later, true, later, sizeof later);
    print_op(v->earlier, true, earlier, sizeof earlier);
    const char *gap = strstr(v->relation, "%s") + 2, *second = strstr(gap, "%s");
    text_printf(&t, "%s%.*s%s%s, but ", later, (int)(second - gap), gap, earlier, second + 2);
    print_op(v->earlier, false, earlier, sizeof earlier);
    text_printf(&t, "%s does not happen before it: what a thread wrote before %s may be unseen after %s",
                earlier, name_of(v->earlier), name_of(v->later));
    judge_report_error(shared, WORKER_ERROR_SYNC, "%s", t.data);
}

/* --- deciding ---------------------------------------------------------------------------------------------------- */

/* In the other models everything that was read happens before; and here, too, where all accesses are seq_cst. An answer that nothing
 * read explains would not be linearizable for every client. */
static bool is_asked_for(const struct worker_shared *shared)
{
    return shared->config.sync != SYNC_NONE && judge.count <= JUDGE_OPS_MAX &&
           model_is(shared->config.memory, MODEL_LANGUAGE);
}

static enum judge_answer give_up(struct worker_shared *shared)
{
    shared->undecided++;
    shared->limits |= LIMIT_UNDECIDED;
    return JUDGE_FINE;
}

/* The judge has it already, unless it is asked about more than the execution itself. */
static const uint64_t *find_before(const struct worker_shared *shared, const struct judge_execution *x)
{
    static uint64_t before[JUDGE_OPS_MAX];
    if (!x->timed && !shared->config.client_fixed)
        return x->knows;
    judge_graph_before(judge.reader, before);
    return before;
}

enum judge_answer judge_synchronization(struct worker_shared *shared, const struct graph *g)
{
    const struct judge_execution *x = &judge.execution;
    if (!is_asked_for(shared) || (x->timed && !sync.rule_count))
        return JUDGE_FINE;
    if (!sync.judge)
        prepare(shared);
    if (!judge_sync_has_rules(sync.judge))
        return JUDGE_FINE;
    switch (judge_sync_decide(sync.judge, x, find_before(shared, x), judge_graph_numbers(judge.reader),
                              &sync.violation)) {
    case VERDICT_VIOLATED: break;
    case VERDICT_HOLDS: return JUDGE_FINE;
    default: return give_up(shared);
    }
    fill_calls(shared, g, &sync.violation);
    report(shared, &sync.violation);
    judge.violation = (struct judge_violation){0}; /* no client is to blame */
    return JUDGE_WRONG;
}
