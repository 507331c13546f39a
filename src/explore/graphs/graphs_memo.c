/* SPDX-License-Identifier: Apache-2.0 */
/* Executions that are not run. Threads that share nothing but atomic variables do what they did before after the same
 * events with the same values. So the next step of each thread is remembered by the history of its last event, and
 * the graph is continued as if the threads had arrived there again. Where nothing is remembered, the program runs. */
#include "explore/graphs/graphs_inside.h"

enum { MEMO_MOST = 1 << 16 };

/* --- remembering ------------------------------------------------------------------------------------ */

/* The last event before the step that the thread is about to take; it has not passed a read that waits. */
uint32_t graphs_event_before(const struct graph *g, uint32_t thread)
{
    uint32_t last = g->threads[thread].last;
    if (last != GRAPH_NONE && g->events[last].flags & GRAPH_BLOCKED)
        return g->events[graph_first_part(g, last)].po_before;
    return last;
}

static uint64_t key_of_state(uint64_t state, uint32_t thread, uint64_t found, bool fails)
{
    return hash_combine(hash_combine(state, thread), found + fails * 0x9e3779b97f4a7c15u);
}

/* What the thread knows: the state in which it arrived at its last step and what it found there, or all that it has ever
 * found. Addresses on its stack depend on its number. */
static uint64_t what_it_knows(const struct graph *g, uint32_t thread)
{
    uint32_t e = graphs_event_before(g, thread);
    if (e == GRAPH_NONE)
        return hash_word(thread);
    const uint64_t history = g->events[e].history;
    if (g->events[e].type == GRAPH_WRITE && g->events[e].flags & GRAPH_UPDATE)
        e = g->events[graph_first_part(g, e)].po_before;
    const struct graph_event *ev = &g->events[e];
    if (ev->state == 0)
        return hash_combine(thread, history);
    event_word value = ev->type == GRAPH_READ ? graph_value(g, e) : 0;
    uint64_t found = ev->type == GRAPH_READ ? (uint64_t)value ^ hash_word((uint64_t)(value >> 64)) : 0;
    return key_of_state(ev->state, thread, found, ev->flags & GRAPH_FAILS);
}

/* Does the thread learn nothing from the step but what its event says? The result of a thread that is joined comes besides. */
bool graphs_is_determined_by_event(const struct port_action *a)
{
    if (a->flags &
        (PORT_BOUNDED | PORT_FAILED)) /* there is more to report about the execution than its graph */
        return false;
    switch (a->kind) {
    case EVENT_READ:
    case EVENT_WRITE:
    case EVENT_UPDATE: return !(a->flags & PORT_OBJECT);
    case EVENT_JOIN: return a->operand == 0;
    case EVENT_CREATE:
    case EVENT_FENCE:
    case EVENT_BEGIN:
    case EVENT_END: return true;
    default: return false;
    }
}

/* States may differ in what the thread has never written: bytes of its stack that others left there. */
static bool is_same_entry(const struct graphs_memo_entry *h, const struct port_action *a, uint64_t plain)
{
    return h->plain == plain && h->step.kind == a->kind && h->step.address == a->address &&
           h->step.operation == a->operation && h->step.operand == a->operand &&
           h->step.expected == a->expected && h->step.flags == a->flags && h->step.size == a->size;
}

static void remember(struct graphs *x, const struct port_action *a)
{
    uint32_t last = x->g->threads[a->thread].last;
    if (x->stretches.of_threads) {
        graphs_remember_stretch(x, a);
        return;
    }
    if (!graphs_is_determined_by_event(a)) {
        explore_graphs_set_memo(&x->base, false);
        return;
    }
    if (x->memo.entries.len == MEMO_MOST || (last != GRAPH_NONE && x->g->events[last].flags & GRAPH_BLOCKED))
        return;
    uint32_t *number = hash_map_at(&x->memo.numbers, what_it_knows(x->g, a->thread));
    if (*number == HASH_NO_NUMBER) {
        *number = (uint32_t)x->memo.entries.len;
        vec_push(&x->memo.entries,
                 ((struct graphs_memo_entry){.step = *a, .plain = x->run.plain[a->thread]}));
    } else if (!is_same_entry(&x->memo.entries.data[*number], a, x->run.plain[a->thread])) {
        explore_graphs_set_memo(&x->base, false);
    }
}

void graphs_fill_memo(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t running)
{
    uint64_t arrived = waiting;
    if (x->memo.has_begun)
        arrived &= UINT64_C(1) << running;
    x->memo.has_begun = true;
    for (; arrived && x->memo.is_on; arrived &= arrived - 1)
        remember(x, &next[__builtin_ctzll(arrived)]);
}

size_t explore_graphs_memo_size(const struct explorer *e)
{
    return graphs_of(e)->stretches.first + graphs_of(e)->memo.entries.len;
}

bool explore_graphs_fills_memo(const struct explorer *e)
{
    return graphs_of(e)->memo.is_filled && !graphs_of(e)->stretches.of_threads;
}

void explore_graphs_set_memo(struct explorer *e, bool remember)
{
    struct graphs *x = graphs_of(e);
    x->memo.is_on = remember && x->estimate.samples == 0 && !x->script.steps && !x->settings.symmetry &&
                    !x->settings.returns;
    if (!x->memo.is_on) {
        graphs_forget_stretches(x);
        x->stretches.of_threads = NULL;
    }
}

/* --- going on --------------------------------------------------------------------------------------- */

struct memo_run {
    struct graphs *x;
    struct port_action next[GRAPH_THREADS_MAX];
    const struct graphs_memo_entry *at[GRAPH_THREADS_MAX]; /* where a thread is that has begun and waits */
    uint64_t waiting;
    uint64_t busy; /* those that do something else next than to end, or to wait for ends */
};

/* Only atomic steps have written there. */
static event_word initial_value(void *context, const struct port_action *a)
{
    struct graphs *x = context;
    if (x->stretches.of_threads)
        return graphs_find_initial(x, a);
    uint32_t site = graphs_site_at(x, graphs_address(a)); /* may move the sites */
    return x->sites.list.data[site].initial;
}

/* In work of another explorer the graph may have a location that this one has never looked at. */
static bool is_in_graph(const struct graph *g, uint32_t location)
{
    return location < g->location_count && g->locations[location].init != GRAPH_NONE;
}

static bool has_initial_value(struct graphs *x, const struct port_action *a)
{
    if (a->operation == OPERATION_NONE || x->stretches.of_threads)
        return true;
    struct graphs_granule granules[GRAPHS_GRANULES] = {{graphs_address(a), a->size}};
    uint32_t count = graphs_is_mixed(x, a) ? graphs_granules(x, a->address, a->size, granules) : 1;
    bool known = true;
    while (count-- > 0) {
        uint32_t site = graphs_site_at(x, granules[count].address); /* may move the sites */
        known &= x->sites.list.data[site].has_initial || is_in_graph(x->g, site);
    }
    return known;
}

static const struct graphs_memo_entry *find_entry(struct graphs *x, uint32_t thread)
{
    if (x->stretches.of_threads)
        return graphs_recall_stretch(x, thread);
    uint32_t number = hash_map_get(&x->memo.numbers, what_it_knows(x->g, thread));
    return number == HASH_NO_NUMBER ? NULL : &x->memo.entries.data[number];
}

static bool is_idle(const struct port_action *a)
{
    return a->kind == EVENT_END ? a->thread == 0 || !a->operand : a->kind == EVENT_JOIN;
}

static void note_arrival(struct memo_run *f, uint32_t thread)
{
    uint64_t bit = UINT64_C(1) << thread;
    f->busy = is_idle(&f->next[thread]) ? f->busy & ~bit : f->busy | bit;
}

/* Where is the thread? */
static bool recall(struct memo_run *f, uint32_t thread)
{
    struct graphs *x = f->x;
    f->waiting |= UINT64_C(1) << thread;
    if (thread != 0 && x->g->threads[thread].last == GRAPH_NONE) {
        f->next[thread] = (struct port_action){.thread = (uint16_t)thread, .kind = EVENT_BEGIN};
        note_arrival(f, thread);
        return true;
    }
    const struct graphs_memo_entry *entry = find_entry(x, thread);
    if (!entry)
        return false;
    f->next[thread] = entry->step;
    f->at[thread] = entry;
    note_arrival(f, thread);
    x->run.plain[thread] = entry->plain;
    return has_initial_value(x, &f->next[thread]);
}

static bool recall_all(struct memo_run *f)
{
    const struct graph *g = f->x->g;
    for (uint32_t t = 0; t < g->thread_count; t++) {
        uint32_t last = g->threads[t].last;
        bool ended = last != GRAPH_NONE && g->events[last].type == GRAPH_END;
        bool exists = t == 0 || g->threads[t].create != GRAPH_NONE;
        if (exists && !ended && !recall(f, t))
            return false;
    }
    return f->waiting != 0;
}

/* The thread has taken its step. */
static bool follow(struct memo_run *f, uint32_t thread, const struct port_answer *answer)
{
    if (f->x->stretches.of_threads && !graphs_is_step_safe(f->x, &f->next[thread]))
        return false;
    switch (f->next[thread].kind) {
    case EVENT_END: f->waiting &= ~(UINT64_C(1) << thread); return true;
    case EVENT_CREATE: return recall(f, answer->thread) && recall(f, thread);
    default: return recall(f, thread);
    }
}

/* What the thread does after it has joined another one, if it accesses no memory meanwhile; or null. `history`: of what it has
 * found before. */
static const struct graphs_memo_entry *after_join(const struct graphs *x, uint32_t thread,
                                                  const struct graphs_memo_entry *join, uint64_t *history)
{
    if (x->stretches.of_threads)
        return graphs_stretch_after_join(x, join);
    const struct port_action *a = &join->step;
    *history = graph_history_after(*history, a->kind, a->address ^ join->plain, (uint64_t)a->operand);
    uint64_t key = a->state ? key_of_state(a->state, thread, 0, false) : hash_combine(thread, *history);
    uint32_t number = hash_map_get(&x->memo.numbers, key);
    return number == HASH_NO_NUMBER ? NULL : &x->memo.entries.data[number];
}

/* How many steps the thread has left, if it only waits for ends, of `joined`, and ends; 0: it does something else, or it is not
 * known. */
static uint32_t steps_to_end(const struct graphs *x, uint32_t thread, const struct graphs_memo_entry *entry,
                             uint64_t *joined)
{
    uint32_t steps = 1, last = graphs_event_before(x->g, thread);
    uint64_t history = last == GRAPH_NONE ? 0 : x->g->events[last].history;
    *joined = 0;
    while (entry && entry->step.kind == EVENT_JOIN) {
        *joined |= UINT64_C(1) << entry->step.address;
        entry = after_join(x, thread, entry, &history);
        steps++;
    }
    bool ends = entry && entry->step.kind == EVENT_END;
    return ends && graphs_ends_process(&entry->step) == (thread == 0) ? steps : 0;
}

/* Do those that wait end, one after the other, when each waits for the end of those it has joined? */
static bool do_all_end(uint64_t waiting, const uint64_t *joined)
{
    for (uint64_t before = 0; waiting != before;) {
        before = waiting;
        for (uint64_t left = before; left; left &= left - 1)
            if (!(joined[__builtin_ctzll(left)] & waiting))
                waiting &= ~(left & -left);
    }
    return waiting == 0;
}

/* Is there nothing left but ends of threads and others waiting for them? Nothing can come of these steps, so they need not be
 * added. */
static bool leave_out_rest(struct memo_run *f, uint64_t steps_max)
{
    uint64_t joined[GRAPH_THREADS_MAX];
    uint32_t steps = 0;
    if (f->busy || !(f->waiting & 1))
        return false;
    for (uint64_t left = f->waiting; left; left &= left - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(left), own = steps_to_end(f->x, t, f->at[t], &joined[t]);
        if (own == 0)
            return false;
        steps += own;
    }
    if (!do_all_end(f->waiting, joined) || f->x->g->steps + steps > steps_max)
        return false;
    f->x->run.left_out = steps;
    return true;
}

/* Until the process ends. Stuck is an error, limits have to be reported: both are for the runner. */
static bool go_on(struct memo_run *f, uint64_t steps_max, enum port_outcome *outcome)
{
    struct graphs *x = f->x;
    uint32_t running = 0;
    *outcome = PORT_COMPLETE;
    while (f->waiting && !leave_out_rest(f, steps_max)) {
        struct port_answer answer = {0};
        if (x->g->steps >= steps_max)
            return false;
        running = graphs_advance_live(x, f->next, f->waiting, running, &answer);
        if (running == PORT_STOP) {
            *outcome = PORT_BLOCKED;
            return x->run.why == PORT_STOP_BLOCKED;
        }
        if (graphs_ends_process(&f->next[running]))
            break;
        if (!follow(f, running, &answer))
            return false;
    }
    return true;
}

/* A program that never does the same again is better run at once. */
static bool is_worth_trying(struct graphs *x)
{
    if (x->memo.pause == 0)
        return true;
    x->memo.pause--;
    return false;
}

static void note_success(struct graphs *x, bool known)
{
    enum { MISSED_MOST = 24, MISSED_OFTEN = 8, WEIGHT = 2 };
    if (known)
        x->memo.misses -= x->memo.misses < WEIGHT ? x->memo.misses : WEIGHT;
    else
        x->memo.misses += x->memo.misses < MISSED_MOST;
    x->memo.pause = x->memo.misses < MISSED_OFTEN ? 0 : x->memo.misses - MISSED_OFTEN;
}

uint32_t explore_graphs_left_out(const struct explorer *e)
{
    return graphs_of(e)->run.left_out;
}

bool explore_graphs_run_memo(struct explorer *e, uint64_t steps_max, enum port_outcome *outcome)
{
    struct graphs *x = graphs_of(e);
    if (!x->memo.is_on || x->memo.entries.len == 0 || !is_worth_trying(x))
        return false;
    if (x->stretches.of_threads && (!x->stretches.is_complete || x->stretches.repeats))
        return false;
    struct explorer runner = x->base;
    struct memo_run f;
    f.x = x;
    f.waiting = f.busy = 0;
    x->base.peek = initial_value;
    x->base.peek_context = x;
    bool known = recall_all(&f) && go_on(&f, steps_max, outcome);
    x->base.peek = runner.peek;
    x->base.peek_context = runner.peek_context;
    if (!known)
        explore_graphs_again(e);
    note_success(x, known);
    return known;
}
