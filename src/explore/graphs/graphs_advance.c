/* SPDX-License-Identifier: Apache-2.0 */
/* One execution behind the port: repeats the recorded part of a graph, then goes on at its end. */
#include "explore/graphs/graphs_inside.h"

#include <string.h>

/* --- repeating what is recorded --------------------------------------------------------------------- */

/* Does the step change something that its thread, or another one, can see? False of some that do. */
static inline bool has_effect(const struct graph *g, const struct graph_event *ev)
{
    switch (ev->type) {
    case GRAPH_CREATE:
    case GRAPH_BEGIN:
    case GRAPH_END:
    case GRAPH_JOIN: return true;
    case GRAPH_WRITE:
        if (ev->flags & GRAPH_UPDATE)
            return ev->label.kind == EVENT_UPDATE &&
                   (uint64_t)ev->value != (uint64_t)graph_update_read(g, ev)->value;
        return ev->label.kind == EVENT_WRITE;
    default: return false;
    }
}

static inline uint32_t count_to_last_effect(const struct graph *g, uint32_t thread)
{
    uint32_t e = g->threads[thread].last;
    while (e != GRAPH_NONE && !has_effect(g, &g->events[e]))
        e = g->events[e].po_before;
    return e == GRAPH_NONE ? 0 : g->events[e].index + 1u;
}

void graphs_start_replay(struct graphs *x)
{
    const struct graph *g = x->g;
    if (x->counts.replays <= 1 || x->settings.returns) /* arrivals are kept of any thread */
        x->run.thread_count = GRAPH_THREADS_MAX;
    uint32_t threads = g->thread_count > x->run.thread_count ? g->thread_count : x->run.thread_count;
    x->run.thread_count = g->thread_count;
    for (uint32_t t = 0; t < threads; t++) {
        x->run.cursor[t] = g->threads[t].first;
        x->run.at[t] = GRAPH_NONE;
        x->run.done[t] = 0;
        x->run.plain[t] = 0;
        x->run.effects_end[t] = count_to_last_effect(g, t);
        x->run.arrivals[t].live = 0;
    }
    x->run.replay_left = g->steps;
    x->run.last_thread = x->run.left_out = 0;
    vec_clear(&x->run.happened);
    vec_clear(&x->run.counted);
    x->run.in_a_row = 0;
    x->run.stopped = x->run.abandoned = x->run.repeats = x->run.diverged = x->memo.has_begun = false;
    x->memo.is_filled = x->memo.is_on && (x->memo.pause == 0 || x->stretches.of_threads);
    if (x->stretches.of_threads)
        graphs_start_stretches(x);
    x->run.refused = NULL;
    x->run.held_thread = GRAPH_NONE;
    x->run.victim = (struct graphs_victim){.thread = GRAPH_NONE};
    graphs_forget_passed(x);
}

static inline bool has_happened(const struct graphs *x, uint32_t e)
{
    const struct graph_event *ev = &x->g->events[e];
    return ev->thread == GRAPH_INIT_THREAD || ev->index < x->run.done[ev->thread];
}

/* A read with several parts: has all that they read happened? */
static bool can_repeat_parts(const struct graphs *x, uint32_t e)
{
    e = graph_last_part(x->g, e);
    if (graph_is_open(x->g, e))
        return false;
    for (; e != GRAPH_NONE; e = graph_part_before(x->g, e))
        if (!has_happened(x, x->g->events[e].rf))
            return false;
    return true;
}

static inline __attribute__((always_inline)) bool can_repeat(const struct graphs *x,
                                                             const struct port_action *a)
{
    uint32_t e = x->run.cursor[a->thread];
    if (a->flags & PORT_BOUNDED)
        return false;
    if (a->kind == EVENT_YIELD)
        return !(a->flags & PORT_SPINS);
    if (e == GRAPH_NONE)
        return false;
    const struct graph_event *ev = &x->g->events[e];
    if (x->g->has_twins && graphs_repeats_before_twin(x, e))
        return false;
    if (ev->type == GRAPH_READ && ev->flags & GRAPH_MORE)
        return can_repeat_parts(x, e);
    if (ev->type == GRAPH_READ)
        return has_happened(x, ev->rf) && !(ev->flags & GRAPH_BLOCKED);
    if (ev->type == GRAPH_JOIN)
        return has_happened(x, x->g->threads[ev->address].last);
    return true;
}

/* What the explorer decides itself is not compared. */
static inline __attribute__((always_inline)) bool is_same_step(const struct graph_event *ev,
                                                               const struct port_action *a)
{
    return ev->label.kind == a->kind && ev->label.operation == a->operation && ev->label.order == a->order &&
           ev->label.failure_order == a->failure_order && ev->operand == a->operand && ev->size == a->size &&
           (ev->address == graphs_address(a) || ev->type == GRAPH_CREATE) &&
           (a->operation != OPERATION_CAS || ev->expected == a->expected);
}

static inline __attribute__((always_inline)) void pass(struct graphs *x, uint32_t e)
{
    const struct graph_event *ev = &x->g->events[e];
    vec_push(&x->run.happened, ((struct graphs_happened){e, ev->thread}));
    if (ev->flags & GRAPH_MORE) {
        e = graph_last_of_step(x->g, e);
        ev = &x->g->events[e];
    } else if (ev->type == GRAPH_READ && ev->flags & GRAPH_UPDATE) {
        e = ev->po_after;
        ev = &x->g->events[e];
    }
    x->run.cursor[ev->thread] = ev->po_after;
    if (ev->po_after != GRAPH_NONE)
        __builtin_prefetch(&x->g->events[ev->po_after].label);
    x->run.at[ev->thread] = e;
    x->run.done[ev->thread] = ev->index + 1u;
    x->run.plain[ev->thread] = 0;
    x->run.last_thread = ev->thread;
    x->run.replay_left--;
}

void graphs_pass(struct graphs *x, uint32_t e)
{
    pass(x, e);
}

static __attribute__((noinline)) uint32_t diverge(struct graphs *x, struct port_answer *answer)
{
    x->run.limit = "the program did something else than before";
    return graphs_stop(x, answer, PORT_STOP_DIVERGED);
}

static __attribute__((noinline)) void note_divergence(struct graphs *x, const struct graph_event *ev,
                                                      const struct port_action *a)
{
    if (x->has_diverged)
        return;
    x->has_diverged = true;
    x->divergence.before = (struct event){.thread = ev->thread,
                                          .kind = ev->label.kind,
                                          .order = ev->label.order,
                                          .size = ev->size,
                                          .address = ev->type == GRAPH_CREATE ? 0 : ev->address,
                                          .value = (uint64_t)ev->operand};
    x->divergence.now = (struct event){.thread = (uint16_t)a->thread,
                                       .kind = (uint8_t)a->kind,
                                       .order = a->order,
                                       .size = a->size,
                                       .address = ev->type == GRAPH_CREATE ? 0 : graphs_address(a),
                                       .value = (uint64_t)a->operand};
}

const struct graphs_divergence *explore_graphs_divergence(const struct explorer *e)
{
    return graphs_of(e)->has_diverged ? &graphs_of(e)->divergence : NULL;
}

static uint32_t repeat_step(struct graphs *x, const struct port_action *a, struct port_answer *answer)
{
    answer->reads = answer->fails = false;
    if (a->kind == EVENT_YIELD) {
        graphs_note_yield(x, a->thread);
        return a->thread;
    }
    uint32_t e = x->run.cursor[a->thread];
    const struct graph_event *ev = &x->g->events[e];
    if (!is_same_step(ev, a)) {
        note_divergence(x, ev, a);
        return diverge(x, answer);
    }
    if (x->settings.returns &&
        ev->state != a->live) /* something else than its past would decide where it is held */
        graphs_note_strayed(x, a->thread);
    if (ev->type == GRAPH_READ) {
        uint32_t last = graph_last_part(x->g, e);
        answer->reads = true;
        answer->found = graph_value(x->g, last);
        answer->thread = (uint32_t)ev->expected;
        answer->fails = x->g->events[last].flags & GRAPH_FAILS;
    } else if (ev->type == GRAPH_CREATE) {
        answer->thread = (uint32_t)ev->address;
    }
    pass(x, e);
    answer->effect_ahead = x->run.done[a->thread] < x->run.effects_end[a->thread] && !x->stretches.repeats;
    return a->thread;
}

static bool has_failed(const struct port_action *next, uint64_t waiting)
{
    for (; waiting; waiting &= waiting - 1)
        if (next[__builtin_ctzll(waiting)].flags & PORT_FAILED)
            return true;
    return false;
}

static uint32_t stop_in_record(struct graphs *x, const struct port_action *next, uint64_t waiting,
                               struct port_answer *answer)
{
    if (!has_failed(next, waiting)) {
        for (uint64_t left = waiting; left; left &= left - 1) {
            const struct port_action *a = &next[__builtin_ctzll(left)];
            uint32_t recorded = x->run.cursor[a->thread];
            if (recorded != GRAPH_NONE && !is_same_step(&x->g->events[recorded], a))
                note_divergence(x, &x->g->events[recorded], a);
        }
        return diverge(x, answer);
    }
    x->run.abandoned = true;
    return graphs_stop(x, answer, PORT_STOP_FAILED);
}

static inline bool is_same_access(const struct graph_event *ev, struct graphs_step step, uint64_t address,
                                  uint64_t operand, uint64_t expected)
{
    return memcmp(&ev->label, &step.label, sizeof step.label) == 0 && ev->size == step.size &&
           ev->address == address && ev->operand == operand &&
           (step.label.operation != OPERATION_CAS || ev->expected == expected);
}

struct graphs_repeated explore_graphs_repeat(struct explorer *e, struct graphs_step step, uint64_t address,
                                             uint64_t operand, uint64_t expected)
{
    struct graphs *x = graphs_of(e);
    uint32_t t = step.thread, next = x->run.cursor[t];
    if (next == GRAPH_NONE || x->run.done[t] >= x->run.effects_end[t] || x->run.diverged || x->g->has_twins ||
        x->stretches.repeats)
        return (struct graphs_repeated){0};
    const struct graph_event *ev = &x->g->events[next];
    if (!is_same_access(ev, step, address, operand, expected) || ev->flags & GRAPH_MORE ||
        (ev->type == GRAPH_READ && !has_happened(x, ev->rf)))
        return (struct graphs_repeated){0};
    pass(x, next);
    return (struct graphs_repeated){ev, x->run.done[t] < x->run.effects_end[t]};
}

static uint32_t advance_recorded(struct graphs *x, const struct port_action *next, uint64_t waiting,
                                 uint32_t running, struct port_answer *answer)
{
    uint64_t all = waiting;
    if (waiting >> running & 1 && can_repeat(x, &next[running]))
        return repeat_step(x, &next[running], answer);
    for (; waiting; waiting &= waiting - 1) {
        const struct port_action *a = &next[__builtin_ctzll(waiting)];
        if (can_repeat(x, a))
            return repeat_step(x, a, answer);
    }
    return stop_in_record(x, next, all, answer);
}

/* --- going on --------------------------------------------------------------------------------------- */

/* One of them, each as often as any other. */
static uint32_t any_of(struct graphs *x, uint64_t threads)
{
    for (uint32_t skip = prng_below(&x->prng, (uint32_t)__builtin_popcountll(threads)); skip > 0; skip--)
        threads &= threads - 1;
    return (uint32_t)__builtin_ctzll(threads);
}

/* Which thread goes on does not matter for what is explored. The running one costs no switch. */
static uint32_t pick(struct graphs *x, const struct port_action *next, uint64_t waiting, uint32_t running)
{
    uint32_t best = PORT_STOP, first = 0;
    enum graphs_readiness readiest = GRAPHS_WAITS;
    if (x->settings.scheduler_seed && waiting)
        first = any_of(x, waiting);
    else
        first = (x->run.in_a_row < GRAPHS_IN_A_ROW ? running : running + 1) % 64;
    uint64_t turned = first ? waiting >> first | waiting << (64 - first) : waiting;
    for (; turned && readiest < GRAPHS_READY; turned &= turned - 1) {
        uint32_t t = (first + (uint32_t)__builtin_ctzll(turned)) % 64;
        if (x->g->has_twins && graphs_waits_for_twin(x, next, t))
            continue;
        enum graphs_readiness r = graphs_readiness(x, &next[t]);
        if (r > readiest) {
            readiest = r;
            best = t;
        }
    }
    return best;
}

void graphs_note_added(struct graphs *x, uint32_t thread)
{
    x->run.in_a_row = thread == x->run.last_thread ? x->run.in_a_row + 1 : 0;
    uint32_t last = x->g->threads[thread].last;
    vec_push(&x->run.happened, ((struct graphs_happened){graph_first_of_step(x->g, last), thread}));
    x->run.at[thread] = last;
    x->run.plain[thread] = 0;
    x->run.last_thread = thread;
    graphs_note_thread(x, thread);
}

void graphs_note_yield(struct graphs *x, uint32_t thread)
{
    vec_push(&x->run.happened, ((struct graphs_happened){GRAPH_NONE, thread}));
    x->run.last_thread = thread;
}

static unsigned flags_of(const struct port_action *next, uint64_t waiting)
{
    unsigned flags = 0;
    for (; waiting; waiting &= waiting - 1)
        flags |= next[__builtin_ctzll(waiting)].flags;
    return flags;
}

static bool note_spins(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    for (; waiting; waiting &= waiting - 1) {
        const struct port_action *a = &next[__builtin_ctzll(waiting)];
        if (a->flags & PORT_SPINS && !graphs_note_spin(x, a))
            return false;
    }
    return true;
}

static bool note_folds(struct graphs *x, const struct port_action *next, uint64_t waiting)
{
    for (; waiting; waiting &= waiting - 1) {
        const struct port_action *a = &next[__builtin_ctzll(waiting)];
        if (a->flags & PORT_FOLDS && !graphs_note_fold(x, a))
            return false;
    }
    return true;
}

static uint32_t stop_at_limit(struct graphs *x, struct port_answer *answer, const char *limit)
{
    x->run.limit = limit;
    return graphs_stop(x, answer, PORT_STOP_LIMIT);
}

static uint32_t stop_to_restart(struct graphs *x, struct port_answer *answer)
{
    x->run.abandoned = true;
    return graphs_stop(x, answer, PORT_STOP_BLOCKED);
}

/* No thread can go on. */
static uint32_t finish(struct graphs *x, const struct port_action *next, uint64_t waiting,
                       struct port_answer *answer)
{
    if (x->g->has_twins)
        graphs_watch_assumptions(x, next, waiting);
    if (graph_has_open(x->g))
        return graphs_stop(x, answer, PORT_STOP_BLOCKED);
    uint64_t left = graphs_left_waiting(x, next, waiting);
    if (!left && graphs_stopped(x))
        return graphs_stop(x, answer, PORT_STOP_OTHERS_ENDED);
    enum port_stop why = graphs_why_stopped(x, next, left);
    if (why == PORT_STOP_FOLDED && graphs_start_continuing(x, next, waiting))
        return graphs_continue(x, next, waiting, answer);
    return graphs_stop(x, answer, why);
}

uint32_t graphs_advance_live(struct graphs *x, const struct port_action *next, uint64_t waiting,
                             uint32_t running, struct port_answer *answer)
{
    if (x->search.restart || (x->estimate.samples > 0 && graphs_descend(x)))
        return stop_to_restart(x, answer);
    if (__builtin_expect(x->run.victim.thread != GRAPH_NONE, false)) {
        graphs_look_for_stop(x, next);
        waiting &= ~graphs_stopped(x);
    }
    if (x->returns.finished)
        return graphs_continue(x, next, waiting, answer);
    unsigned rounds = flags_of(next, waiting) & (PORT_SPINS | PORT_FOLDS);
    if (rounds & PORT_SPINS && !note_spins(x, next, waiting))
        return graphs_stop(x, answer, PORT_STOP_BLOCKED);
    if (rounds & PORT_FOLDS && !note_folds(x, next, waiting))
        return graphs_stop(x, answer, PORT_STOP_FOLDED);
    for (;;) {
        uint32_t t = pick(x, next, waiting, running);
        if (t == PORT_STOP || graphs_ends_process(&next[t])) {
            graphs_note_waiting_locks(x, next, waiting);
            graphs_certify(x, next, waiting);
        }
        if (t == PORT_STOP)
            return finish(x, next, waiting, answer);
        const struct port_action *a = &next[t];
        answer->reads = answer->fails = false;
        if (a->kind == EVENT_YIELD) {
            graphs_note_yield(x, t);
            return t;
        }
        if (!graphs_add_step(x, a, answer)) {
            answer->thread = t;
            return stop_at_limit(x, answer, x->run.limit);
        }
        if (x->search.restart || (x->estimate.samples > 0 && graphs_descend(x)))
            return stop_to_restart(x, answer);
        if (!(x->g->events[x->g->threads[a->thread].last].flags & GRAPH_BLOCKED)) {
            graphs_note_added(x, t);
            return t;
        }
    }
}

uint32_t graphs_advance(struct explorer *e, const struct port_action *next, uint64_t waiting,
                        uint32_t running, struct port_answer *answer)
{
    struct graphs *x = graphs_of(e);
    if (x->run.diverged)
        return diverge(x, answer);
    if (x->run.replay_left > 0) {
        if (x->stretches.repeats && x->memo.is_filled)
            graphs_fill_memo(x, next, waiting, running);
        return advance_recorded(x, next, waiting, running, answer);
    }
    if (x->run.refused)
        return stop_at_limit(x, answer, x->run.refused);
    if (waiting >> GRAPH_THREADS_MAX)
        return stop_at_limit(x, answer, "more than 32 threads");
    if (x->memo.is_filled)
        graphs_fill_memo(x, next, waiting, running);
    return graphs_advance_live(x, next, waiting, running, answer);
}

/* Steps still to be repeated are of other threads. */
void explore_graphs_store(struct explorer *e, const struct port_action *a)
{
    struct graphs *x = graphs_of(e);
    struct port_answer answer;
    if (a->thread >= GRAPH_THREADS_MAX)
        return; /* more threads than there may be: said by the next step */
    uint32_t recorded = x->run.cursor[a->thread];
    if (x->stretches.of_threads)
        explore_graphs_set_memo(e, false); /* plain accesses are steps, too */
    if (x->script.steps)
        x->run.diverged |= !graphs_replay_store(x, a);
    else if (recorded != GRAPH_NONE && is_same_step(&x->g->events[recorded], a))
        pass(x, recorded);
    else if (recorded != GRAPH_NONE) {
        x->run.diverged = true;
        note_divergence(x, &x->g->events[recorded], a);
    } else if (graphs_add_step(x, a, &answer)) {
        if (!x->search.restart)
            graphs_note_added(x, a->thread);
    } else
        x->run.refused = x->run.limit;
}
