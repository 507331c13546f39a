/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/judge.h"

#include "judge/judge_state.h"
#include "judge/judge_sync.h"

#include "base/check.h"
#include "base/memory.h"

#include <string.h>

struct judge_graph {
    const struct memory_model *model;
    const struct graph *graph; /* read last */
    const struct judge_execution *execution;
    uint32_t numbers[JUDGE_OPS_MAX];                  /* in the test */
    uint32_t call[JUDGE_OPS_MAX], ret[JUDGE_OPS_MAX]; /* events; GRAPH_NONE: has not returned */
    uint64_t *reach;   /* of each event: the operations whose calls are before it */
    uint64_t *arrives; /* of each event: calls that get there by happens-before, then eco */
    size_t capacity;
    VEC(uint8_t) images; /* of each number in the test: the number in the execution */
};

struct judge_graph *judge_graph_new(const struct memory_model *model)
{
    struct judge_graph *j = NEW(struct judge_graph);
    j->model = model;
    return j;
}

void judge_graph_free(struct judge_graph *j)
{
    free(j->reach);
    free(j->arrives);
    vec_free(&j->images);
    free(j);
}

const uint32_t *judge_graph_numbers(const struct judge_graph *j)
{
    return j->numbers;
}

void judge_graph_ends(const struct judge_graph *j, uint32_t op, uint32_t *call, uint32_t *ret)
{
    *call = j->call[op];
    *ret = j->ret[op];
}

/* --- operations ----------------------------------------------------------------------------------------------- */

static bool is_mark(const struct graph_event *e, enum event_kind kind)
{
    return e->type == GRAPH_MARK && e->label.kind == kind;
}

static uint32_t number_calls(struct judge_graph *j, const struct graph *g, uint32_t test_count)
{
    uint32_t count = 0;
    vec_reserve(&j->images, test_count + 1);
    memset(j->images.data, JUDGE_NO_OP, test_count);
    for (uint32_t e = 0; e < g->count; e++)
        if (is_mark(&g->events[e], EVENT_OP_CALL)) {
            CHECK(g->events[e].value < test_count);
            j->images.data[(uint32_t)g->events[e].value] = 0;
        }
    for (uint32_t i = 0; i < test_count; i++)
        if (j->images.data[i] != JUDGE_NO_OP) {
            if (count < JUDGE_OPS_MAX) {
                j->numbers[count] = i;
                j->images.data[i] = (uint8_t)count;
            }
            count++;
        }
    return count;
}

struct reading {
    struct judge_graph *j;
    struct judge_execution *x;
    /* What has returned before the thread's next step, by the test's order */
    uint64_t done[GRAPH_THREADS_MAX];
    uint64_t created[GRAPH_THREADS_MAX]; /* what had, when the thread was created */
    uint8_t open[GRAPH_THREADS_MAX];
    uint32_t last[JUDGE_OPS_MAX]; /* access of each operation */
};

static void read_mark(struct reading *r, uint32_t e, const struct graph_event *ev)
{
    if (ev->label.kind != EVENT_OP_CALL && ev->label.kind != EVENT_OP_RETURN)
        return;
    uint32_t i = r->j->images.data[(uint32_t)ev->value];
    if (ev->label.kind == EVENT_OP_CALL) {
        r->j->call[i] = r->last[i] = e;
        r->open[ev->thread] = (uint8_t)i;
        JUDGE_EACH(a, r->done[ev->thread])
            r->x->after[a] |= judge_bit(i);
        return;
    }
    r->j->ret[i] = e;
    r->open[ev->thread] = JUDGE_NO_OP;
    r->done[ev->thread] |= judge_bit(i);
    r->x->completed |= judge_bit(i);
}

static void read_event(struct reading *r, uint32_t e, const struct graph_event *ev)
{
    if (ev->type == GRAPH_INIT)
        return;
    if (ev->index == 0)
        r->done[ev->thread] = r->created[ev->thread];
    if (ev->type <= GRAPH_READ) {
        if (r->open[ev->thread] != JUDGE_NO_OP)
            r->last[r->open[ev->thread]] = e;
    } else if (ev->type == GRAPH_CREATE) {
        r->created[ev->address] = r->done[ev->thread];
    } else if (ev->type == GRAPH_JOIN) {
        r->done[ev->thread] |= r->done[ev->address];
    } else if (ev->type == GRAPH_MARK) {
        read_mark(r, e, ev);
    }
}

static void sort_hints(const struct reading *r)
{
    for (uint32_t i = 0; i < r->x->count; i++) {
        uint32_t k = i;
        for (; k > 0 && r->last[r->x->hint[k - 1]] > r->last[i]; k--)
            r->x->hint[k] = r->x->hint[k - 1];
        r->x->hint[k] = (uint8_t)i;
    }
}

static void read_operations(struct judge_graph *j, const struct graph *g, const struct judge_op *test,
                            struct judge_execution *x)
{
    struct reading r = {.j = j, .x = x};
    memset(r.open, JUDGE_NO_OP, sizeof r.open);
    x->completed = 0;
    for (uint32_t i = 0; i < x->count; i++) {
        x->after[i] = x->knows[i] = x->hinder[i] = x->causes[i] = 0;
        j->ret[i] = GRAPH_NONE;
    }
    for (uint32_t e = 0; e < g->count; e++)
        read_event(&r, e, &g->events[e]);
    for (uint32_t i = 0; i < x->count; i++) {
        x->ops[i] = test[j->numbers[i]];
        if (!(x->completed >> i & 1))
            x->ops[i].result = PLUMB_ANY;
    }
    sort_hints(&r);
}

/* --- one order in time ---------------------------------------------------------------------------------------- */

/* A step that waits for another value has not happened. */
static bool has_happened(const struct graph_event *ev)
{
    return !(ev->flags & GRAPH_BLOCKED);
}

static uint64_t reach_of_write(const struct judge_graph *j, const struct graph *g,
                               const struct graph_event *w)
{
    uint64_t reach = 0;
    if (w->mo_before == GRAPH_NONE)
        return 0;
    for (uint32_t r = g->events[w->mo_before].reader; r != GRAPH_NONE; r = g->events[r].reader)
        if (has_happened(&g->events[r]))
            reach |= j->reach[r];
    return reach | j->reach[w->mo_before];
}

/* What an event gets from other threads. */
static uint64_t reach_from_others(const struct judge_graph *j, const struct graph *g,
                                  const struct graph_event *ev)
{
    switch (ev->type) {
    case GRAPH_READ: return j->reach[ev->rf];
    case GRAPH_WRITE: return reach_of_write(j, g, ev);
    case GRAPH_BEGIN: {
        uint32_t create = g->threads[ev->thread].create;
        return create == GRAPH_NONE ? 0 : j->reach[create];
    }
    case GRAPH_JOIN: {
        uint32_t last = g->threads[ev->address].last;
        return last == GRAPH_NONE ? 0 : j->reach[last];
    }
    default: return 0;
    }
}

static uint64_t own_bit(const struct judge_graph *j, const struct graph_event *ev)
{
    return is_mark(ev, EVENT_OP_CALL) ? judge_bit(j->images.data[(uint32_t)ev->value]) : 0;
}

/* Events are nearly in an order of time already, so few rounds are needed. */
static void reach_in_time(struct judge_graph *j, const struct graph *g)
{
    memset(j->reach, 0, g->count * sizeof *j->reach);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t e = 0; e < g->count; e++) {
            const struct graph_event *ev = &g->events[e];
            uint64_t reach = own_bit(j, ev) | reach_from_others(j, g, ev);
            if (ev->po_before != GRAPH_NONE)
                reach |= j->reach[ev->po_before];
            changed |= reach != j->reach[e];
            j->reach[e] = reach;
        }
    }
}

/* Row b, bit a, from the sets of calls at the return of a. */
static void add_column(uint64_t *rows, uint64_t calls, uint32_t a)
{
    JUDGE_EACH(b, calls)
        rows[b] |= judge_bit(a);
}

static void fill_timed(struct judge_graph *j, const struct graph *g, struct judge_execution *x)
{
    reach_in_time(j, g);
    JUDGE_EACH(a, x->completed)
        add_column(x->knows, j->reach[j->ret[a]], (uint32_t)a);
}

/* --- store buffers ---------------------------------------------------------------------------------------------- */

/* A client reads at a call that another one has returned, */
static bool is_waited_for(const struct graph_event *ev)
{
    return model_is_waited_for(ev) || is_mark(ev, EVENT_OP_CALL);
}

/* and writes so at the return. */
static bool waits_for_buffer(const struct graph_event *ev)
{
    return model_waits_for_buffer(ev) || is_mark(ev, EVENT_OP_RETURN);
}

/* As in time, but what a thread reads from its own buffer is no news, and later steps do not wait for the buffer. */
static bool reach_in_thread(struct judge_graph *j, const struct graph *g, uint32_t thread)
{
    uint64_t waited = 0, all = 0;
    bool changed = false;
    for (uint32_t e = g->threads[thread].first; e != GRAPH_NONE; e = g->events[e].po_after) {
        const struct graph_event *ev = &g->events[e];
        bool own = ev->type == GRAPH_READ && g->events[ev->rf].thread == thread;
        uint64_t reach = own_bit(j, ev) | waited | (own ? 0 : reach_from_others(j, g, ev));
        if (waits_for_buffer(ev))
            reach |= all;
        changed |= reach != j->reach[e];
        j->reach[e] = reach;
        all |= reach;
        if (is_waited_for(ev))
            waited |= reach;
    }
    return changed;
}

/* --- happens-before ------------------------------------------------------------------------------------------- */

static uint64_t calls_included(const struct judge_graph *j, const struct graph *g, const int16_t *clock,
                               uint32_t count)
{
    uint64_t calls = 0;
    for (uint32_t b = 0; b < count; b++)
        if (graph_includes(clock, &g->events[j->call[b]]))
            calls |= judge_bit(b);
    return calls;
}

static void fill_clocks(struct judge_graph *j, const struct graph *g, const struct judge_execution *x,
                        enum graph_clock clock, uint64_t *rows)
{
    JUDGE_EACH(a, x->completed)
        add_column(rows, calls_included(j, g, graph_clock(g, j->ret[a], clock), x->count), (uint32_t)a);
}

void judge_graph_before(struct judge_graph *j, uint64_t *before)
{
    memset(before, 0, j->execution->count * sizeof *before);
    fill_clocks(j, j->graph, j->execution, CLOCK_HB, before);
}

static void fill_tso(struct judge_graph *j, const struct graph *g, struct judge_execution *x)
{
    memset(j->reach, 0, g->count * sizeof *j->reach);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t t = 0; t < g->thread_count; t++)
            changed |= reach_in_thread(j, g, t);
    }
    fill_clocks(j, g, x, CLOCK_HB, x->knows);
    JUDGE_EACH(a, x->completed)
        add_column(x->causes, j->reach[j->ret[a]], (uint32_t)a);
    for (uint32_t b = 0; b < x->count; b++)
        x->hinder[b] = x->causes[b] | x->knows[b];
}

/* Along mo, with the readers of each write after it: what was before the earlier events gets to the later ones. */
static void arrive_at_location(struct judge_graph *j, const struct graph *g, uint32_t init)
{
    uint64_t earlier = 0;
    for (uint32_t w = init; w != GRAPH_NONE; w = g->events[w].mo_after) {
        j->arrives[w] = earlier;
        earlier |= j->reach[w];
        uint64_t readers = 0;
        for (uint32_t r = g->events[w].reader; r != GRAPH_NONE; r = g->events[r].reader) {
            if (!has_happened(&g->events[r]))
                continue;
            j->arrives[r] = earlier;
            readers |= j->reach[r];
        }
        earlier |= readers;
    }
}

static void arrive_everywhere(struct judge_graph *j, const struct graph *g, uint32_t count)
{
    memset(j->arrives, 0, g->count * sizeof *j->arrives);
    for (uint32_t e = 0; e < g->count; e++)
        j->reach[e] =
            g->events[e].type == GRAPH_INIT ? 0 : calls_included(j, g, graph_clock(g, e, CLOCK_HB), count);
    for (uint32_t l = 0; l < g->location_count; l++)
        if (g->locations[l].init != GRAPH_NONE)
            arrive_at_location(j, g, g->locations[l].init);
}

/* Calls that get to something that happens before the return of `a`. */
static uint64_t arrivals_before(const struct judge_graph *j, const struct graph *g, uint32_t a)
{
    const int16_t *clock = graph_clock(g, j->ret[a], CLOCK_HB);
    uint64_t calls = 0;
    for (uint32_t t = 0; t < g->thread_count; t++)
        for (uint32_t e = g->threads[t].first; e != GRAPH_NONE && graph_includes(clock, &g->events[e]);
             e = g->events[e].po_after)
            calls |= j->arrives[e];
    return calls;
}

static bool is_consistent(void *context, const uint64_t *orders)
{
    const struct judge_graph *j = context;
    OWNED struct model_order *list = NEW_ARRAY(struct model_order, JUDGE_OPS_MAX * JUDGE_OPS_MAX);
    uint32_t count = 0;
    for (uint32_t a = 0; a < j->execution->count; a++)
        JUDGE_EACH(b, orders[a])
            list[count++] = (struct model_order){j->ret[a], j->call[b]};
    return model_stays_consistent(j->model, j->graph, list, count);
}

/* Does all that caused a return happen before it? */
static bool are_causes_ordered(const struct judge_graph *j, const struct graph *g,
                               const struct judge_execution *x)
{
    JUDGE_EACH(a, x->completed)
        if (g->events[j->ret[a]].flags & GRAPH_LOOSE)
            return false;
    return true;
}

/* The clocks of causes have the order of twins in them, which is no order of the program. */
static void fill_causes(struct judge_graph *j, const struct graph *g, struct judge_execution *x)
{
    if (are_causes_ordered(j, g, x)) {
        fill_clocks(j, g, x, CLOCK_HB, x->causes);
        return;
    }
    memset(j->reach, 0, g->count * sizeof *j->reach);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t e = 0; e < g->count; e++) {
            const struct graph_event *ev = &g->events[e];
            uint64_t others = ev->type == GRAPH_WRITE ? 0 : reach_from_others(j, g, ev);
            uint64_t before = ev->po_before == GRAPH_NONE ? 0 : j->reach[ev->po_before];
            uint64_t reach = own_bit(j, ev) | others | before;
            changed |= reach != j->reach[e];
            j->reach[e] = reach;
        }
    }
    JUDGE_EACH(a, x->completed)
        add_column(x->causes, j->reach[j->ret[a]], (uint32_t)a);
}

static void fill_rc11(struct judge_graph *j, const struct graph *g, struct judge_execution *x)
{
    fill_clocks(j, g, x, CLOCK_HB, x->knows);
    if (g->has_twins)
        fill_causes(j, g, x);
    else
        fill_clocks(j, g, x, CLOCK_PORF, x->causes);
    arrive_everywhere(j, g, x->count);
    JUDGE_EACH(a, x->completed)
        add_column(x->hinder, arrivals_before(j, g, (uint32_t)a), (uint32_t)a);
    for (uint32_t b = 0; b < x->count; b++)
        x->hinder[b] |= x->causes[b] | x->knows[b];
    if (g->sc_accesses + g->sc_fences > 0)
        x->is_consistent = is_consistent;
}

/* --- all together ------------------------------------------------------------------------------------------------ */

static void make_room(struct judge_graph *j, uint32_t events)
{
    if (events <= j->capacity)
        return;
    j->capacity = (size_t)events * 2;
    free(j->reach);
    free(j->arrives);
    j->reach = NEW_ARRAY(uint64_t, j->capacity);
    j->arrives = NEW_ARRAY(uint64_t, j->capacity);
}

static bool is_lock_operation(const struct graph_event *ev)
{
    return ev->label.operation == OPERATION_LOCK || ev->label.operation == OPERATION_UNLOCK;
}

/* Are all accesses seq_cst, but for mutexes, which are only locked and unlocked? The graph may have been built without knowing
 * yet that they are. */
static bool is_in_sequence(const struct graph *g)
{
    if (g->weak_accesses == 0)
        return true;
    for (uint32_t e = 0; e < g->count; e++) {
        const struct graph_event *ev = &g->events[e];
        bool accesses = ev->type == GRAPH_READ || ev->type == GRAPH_WRITE;
        if (accesses && ev->order != ORDER_SEQ_CST && !is_lock_operation(ev))
            return false;
    }
    return true;
}

bool judge_graph_read(struct judge_graph *j, const struct graph *g, const struct judge_op *test,
                      uint32_t test_count, struct judge_execution *x)
{
    x->count = number_calls(j, g, test_count);
    x->is_consistent = NULL;
    x->context = j;
    j->graph = g;
    j->execution = x;
    if (x->count > JUDGE_OPS_MAX)
        return false;
    make_room(j, g->count);
    read_operations(j, g, test, x);
    /* Seq_cst accesses alone are ordered in time, and so is what clients do between them. */
    enum model_kind kind = j->model->kind;
    x->timed = kind == MODEL_INTERLEAVED || (kind == MODEL_LANGUAGE && is_in_sequence(g));
    if (x->timed)
        fill_timed(j, g, x);
    else if (kind == MODEL_BUFFERED)
        fill_tso(j, g, x);
    else
        fill_rc11(j, g, x);
    return true;
}
