/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong with the calls of an execution, as the tool gets it. */
#include "worker/calls/calls_state.h"

#include "engine/engine.h"
#include "engine/graph_mode/graph_mode.h"
#include "graph/weak_link.h"
#include "worker/verdict/verdict_history.h"

#include <stdio.h>
#include <string.h>

/* The error is at that call. */
static void set_stack(struct worker_error *e, uint32_t call)
{
    e->stack_count = 1;
    e->stacks[0] =
        (struct worker_stack){.thread = calls.list[call].thread, .count = 1, .pcs = {calls.list[call].pc}};
}

static void set_place(struct worker_calls *to, const struct plumb_place *place)
{
    snprintf(to->file, sizeof to->file, "%s", place->file ? place->file : "");
    to->line = place->line;
    to->column = place->column;
}

static const struct calls_object *object_of(const struct calls_question *q, uint32_t call)
{
    return &q->objects[q->calls[call].object];
}

/* The calls as they are, then the states along the order. */
static void fill_calls(struct worker_calls *to, struct calls_question *q, const struct ordering_answer *a)
{
    q->question.machine.reset(NULL);
    *to = (struct worker_calls){.count = calls.count, .order_count = a->order_count, .failed = a->failed};
    memcpy(to->order, a->order, a->order_count * sizeof *a->order);
    calls_print_state(object_of(q, a->failed), to->initial, sizeof to->initial);
    for (uint32_t k = 0; k < calls.count; k++) {
        const struct call *c = &calls.list[k];
        struct worker_call *t = &to->calls[k];
        *t = (struct worker_call){.pc = c->pc,
                                  .thread = c->thread,
                                  .begin = c->begin_event,
                                  .end = c->completed ? c->end_event : 0};
        calls_print_call(k, t->text, sizeof t->text);
    }
}

static void run_order(struct worker_calls *to, struct calls_question *q)
{
    q->question.machine.reset(NULL);
    for (uint32_t k = 0; k < to->order_count; k++) {
        uint32_t call = to->order[k];
        q->question.machine.effect(NULL, call);
        calls_print_state(object_of(q, call), to->calls[call].state, sizeof to->calls[call].state);
    }
}

/* The number of a point's event in the trace; 0: not known while graphs are explored. */
static uint32_t step_of(const struct calls_question *q, const struct ordering_point *p)
{
    return q->graph ? graph_mode_event_of((uint32_t)p->event) : (uint32_t)p->event + 1;
}

/* "step 5 is before step 7, step 8 is before step 10" */
static void describe_edges(struct worker_calls *to, const struct calls_question *q,
                           const struct ordering_answer *a)
{
    size_t used = 0;
    for (uint32_t k = 0; k < a->order_count && used < sizeof to->values; k++) {
        struct ordering_point edge[2];
        if (!ordering_edge(&q->question, a->order[k], a->order[(k + 1) % a->order_count], edge))
            continue;
        uint32_t from = step_of(q, &edge[0]), until = step_of(q, &edge[1]);
        if (from && until)
            used += (size_t)snprintf(to->values + used, sizeof to->values - used,
                                     "%sstep %u is before step %u", used ? ", " : "", from, until);
    }
}

/* A cycle has no state. */
static void report_cycle(struct worker_shared *s, const struct calls_question *q,
                         const struct ordering_answer *a)
{
    const struct worker_calls *c = &s->calls;
    uint32_t first = a->order[0], second = a->order[a->order_count > 1 ? 1 : 0];
    judge_report_error(s, WORKER_ERROR_POINTS, "by its ordering points %s is before %s, which is before it%s",
                       c->calls[first].text, c->calls[second].text, a->order_count > 2 ? " by others" : "");
    set_stack(&s->error, first);
    s->calls.failed = first;
    describe_edges(&s->calls, q, a);
    set_place(&s->calls, &calls.list[first].interface->place);
}

/* "__RET__ = 0, q = [1]" */
static void describe_values(struct worker_calls *to, struct calls_question *q, uint32_t call)
{
    char result[160], state[256];
    calls_print_result(call, result, sizeof result);
    calls_print_state(object_of(q, call), state, sizeof state);
    snprintf(to->values, sizeof to->values, "%s%s%s%s", *result ? "__RET__ = " : "", result,
             *result && *state ? ", " : "", state);
}

static void report_condition(struct worker_shared *s, struct calls_question *q,
                             const struct ordering_answer *a)
{
    const struct plumb_interface *i = calls.list[a->failed].interface;
    const struct plumb_clause *clause = a->failed_pre ? &i->pre : &i->post;
    struct worker_calls *c = &s->calls;
    run_order(c, q);
    for (uint32_t k = a->order_count; !a->failed_pre && k < a->other_count; k++)
        q->question.machine.effect(NULL, a->other[k]); /* of all calls that share points with it */
    describe_values(c, q, a->failed);
    calls_print_state(object_of(q, a->failed), c->calls[a->failed].state, sizeof c->calls[a->failed].state);
    snprintf(c->clause, sizeof c->clause, "%s", clause->text ? clause->text : "");
    set_place(c, &clause->place);
    bool several = q->question.mode == ORDERING_SOME && a->histories_tried > 1;
    judge_report_error(s, WORKER_ERROR_CONDITION, "the %scondition of %s does not hold%s",
                       a->failed_pre ? "pre" : "post", c->calls[a->failed].text,
                       several ? ", and no other order that the ordering points allow is legal" : "");
    set_stack(&s->error, a->failed);
}

/* The first event within the call, or the last; of the thread, if there is none within it. */
static uint32_t event_of(const struct graph *g, const struct call *c, bool last)
{
    uint32_t e = g->threads[c->thread].last;
    for (uint32_t wanted = last ? c->end : c->begin + 1; e != GRAPH_NONE; e = g->events[e].po_before)
        if (g->events[e].index < wanted)
            return e;
    return g->threads[c->thread].first;
}

/* The write and the read that would have to be release and acquire. */
static void fill_link(struct worker_calls *to, const struct graph *g, const struct ordering_answer *a)
{
    struct graph_weak_link link;
    uint32_t from = g ? event_of(g, &calls.list[a->earlier], false) : GRAPH_NONE;
    uint32_t until = g ? event_of(g, &calls.list[a->failed], true) : GRAPH_NONE;
    if (from == GRAPH_NONE || until == GRAPH_NONE || !graph_find_weak_link(g, from, until, &link))
        return;
    to->release = graph_mode_event_of(link.write);
    to->acquire = graph_mode_event_of(link.read);
    to->release_is_strong = !link.write_is_weak;
    to->acquire_is_strong = !link.read_is_weak;
}

static void report_sync(struct worker_shared *s, struct calls_question *q, const struct ordering_answer *a)
{
    const struct plumb_rule *r = q->sources[a->rule];
    struct worker_calls *c = &s->calls;
    run_order(c, q);
    c->earlier = a->earlier;
    fill_link(c, q->graph, a);
    snprintf(c->clause, sizeof c->clause, "%s%s%s%s -> %s%s%s%s", r->from, r->from_condition ? "(" : "",
             r->from_condition ? r->from_condition : "", r->from_condition ? ")" : "", r->to,
             r->to_condition ? "(" : "", r->to_condition ? r->to_condition : "", r->to_condition ? ")" : "");
    set_place(c, &r->place);
    judge_report_error(s, WORKER_ERROR_SYNC,
                       "%s is before %s by their ordering points, but does not happen before it",
                       c->calls[a->earlier].text, c->calls[a->failed].text);
    set_stack(&s->error, a->failed);
}

void calls_report(struct worker_shared *s, struct calls_question *q, const struct ordering_answer *a)
{
    struct ordering_answer known = *a;
    if (a->fault == ORDERING_CYCLE)
        known.failed = a->order[0];
    fill_calls(&s->calls, q, &known);
    switch (a->fault) {
    case ORDERING_CYCLE: report_cycle(s, q, a); break;
    case ORDERING_CONDITION: report_condition(s, q, a); break;
    case ORDERING_SYNC: report_sync(s, q, a); break;
    case ORDERING_FINE: break;
    }
}
