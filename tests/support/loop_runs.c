/* SPDX-License-Identifier: Apache-2.0 */
#include "support/loop_runs.h"

#include "base/hash.h"
#include "base/vec.h"
#include "explore/explore.h"
#include "explore/graphs_display.h"
#include "explore/graphs_memo.h"
#include "explore/graphs_replay.h"
#include "explore/graphs_sharing.h"
#include "explore/schedules/prng.h"

#include <stdlib.h>
#include <string.h>

/* One execution that is longer than that has no end. */
enum { LENGTH_MOST = 1500 };
enum { ADDRESS = 0x1000, SEEN_MOST = 8, PORT_THREADS = LOOP_THREADS + 1 };

enum phase { BEGINS, RUNS, ENDS, GONE, ABSENT };

/* A thread as the port sees it; number 0 creates and joins the others. */
struct runner_thread {
    enum phase phase;
    struct loop_thread own;
    uint32_t code;
    uint32_t created; /* 0: so many threads, then joined, then locations looked at */
    uint32_t reads;   /* since it changed something */
    struct {
        uint64_t state;
        uint32_t reads;
    } seen[SEEN_MOST]; /* the states at the last of them */
    uint32_t seen_count, seen_next;
    uint32_t visits[LOOP_CODE];
    uint32_t loaded; /* by its last step, from the instruction before this number; 0: it was no load */
};

struct runner {
    const struct loop_program *p;
    const struct loop_way *way;
    struct explorer *e;
    struct runner_thread threads[PORT_THREADS];
    struct port_action next[PORT_THREADS];
    uint32_t number[LOOP_THREADS];
    uint32_t looked_at;
    uint8_t looks_at[LOOP_MUTEX];
    struct loop_result *out;
    bool replays; /* one recorded execution */
};

static event_word peek(void *context, const struct port_action *step)
{
    (void)context;
    (void)step;
    return 0;
}

static const struct loop_instruction *instruction_of(const struct runner *r, const struct runner_thread *t)
{
    return &r->p->threads[t->code].code[t->own.at];
}

/* ---- states ---- */

static uint64_t state_of(const struct runner *r, const struct runner_thread *t)
{
    uint64_t h = hash_combine(t->code + 1, t->own.at);
    uint8_t live = r->way->all_matters ? 0xff : r->p->threads[t->code].live[t->own.at];
    if (r->way->mistake == LOOP_FORGETS_COUNTERS)
        live &= (uint8_t) ~(1 << 3);
    for (uint32_t k = 0; k < LOOP_REGISTERS; k++)
        h = hash_combine(h, live >> k & 1 ? (uint64_t)t->own.registers[k] : 99);
    for (uint32_t k = 0; k < LOOP_PRIVATE && r->way->mistake != LOOP_FORGETS_MEMORY; k++)
        h = hash_combine(h, (uint64_t)t->own.private[k]);
    return h | 1;
}

static void note_change(struct runner_thread *t)
{
    t->reads = t->seen_count = t->seen_next = 0;
}

/* Is it where it was, having read only? How many reads ago; 0: it is not. */
static uint32_t find_round(struct runner_thread *t, uint64_t state)
{
    uint32_t round = 0;
    for (uint32_t k = 0; k < t->seen_count; k++)
        if (t->seen[k].state == state && (!round || t->reads - t->seen[k].reads < round))
            round = t->reads - t->seen[k].reads;
    t->seen[t->seen_next].state = state;
    t->seen[t->seen_next].reads = t->reads;
    t->seen_next = (t->seen_next + 1) % SEEN_MOST;
    t->seen_count += t->seen_count < SEEN_MOST;
    return round;
}

/* ---- steps ---- */

static struct port_action describe(const struct loop_instruction *i, const struct loop_thread *own,
                                   uint32_t code)
{
    static const struct {
        uint8_t kind, operation;
    } steps[] = {
        [LOOP_LOAD] = {EVENT_READ, OPERATION_LOAD},
        [LOOP_STORE] = {EVENT_WRITE, OPERATION_STORE},
        [LOOP_EXCHANGE] = {EVENT_UPDATE, OPERATION_EXCHANGE},
        [LOOP_ADD] = {EVENT_UPDATE, OPERATION_ADD},
        [LOOP_CAS] = {EVENT_UPDATE, OPERATION_CAS},
        [LOOP_LOCK] = {EVENT_LOCK, OPERATION_LOCK},
        [LOOP_TRY] = {EVENT_TRYLOCK, OPERATION_TRYLOCK},
        [LOOP_UNLOCK] = {EVENT_UNLOCK, OPERATION_UNLOCK},
        [LOOP_FENCE] = {EVENT_FENCE, OPERATION_NONE},
    };
    struct port_action a = {.kind = steps[i->operation].kind,
                            .operation = steps[i->operation].operation,
                            .order = i->order,
                            .failure_order = i->order == ORDER_SEQ_CST ? ORDER_SEQ_CST : ORDER_RELAXED};
    if (i->operation == LOOP_FENCE)
        return a;
    bool locks = i->operation == LOOP_LOCK || i->operation == LOOP_TRY, cas = i->operation == LOOP_CAS;
    a.address = ADDRESS + 8 * i->location;
    a.size = 8;
    a.operand = locks ? code + 1 : (uint64_t)loop_value(own, cas ? i->b : i->a);
    a.expected = cas ? (uint64_t)loop_value(own, i->a) : 0;
    return a;
}

static bool is_patient(const struct runner *r, const struct runner_thread *t)
{
    const struct loop_instruction *i = instruction_of(r, t);
    bool may_be = i->patient || (r->way->mistake == LOOP_ALWAYS_PATIENT && i->operation == LOOP_LOAD);
    return may_be && t->loaded == t->own.at + 1u;
}

static struct port_action next_access(struct runner *r, struct runner_thread *t)
{
    const struct loop_instruction *i = instruction_of(r, t);
    struct port_action a = describe(i, &t->own, t->code);
    uint64_t state = state_of(r, t);
    a.unused = loop_finds_in_vain(&r->p->threads[t->code], t->own.at);
    if (r->way->rounds) {
        if (++t->visits[t->own.at] > r->way->rounds + 1)
            a.flags |= PORT_BOUNDED;
        return a;
    }
    a.live = r->way->returns ? state : 0;
    if (i->operation != LOOP_LOCK && loop_reads(i)) {
        a.round = find_round(t, state);
        a.flags |= a.round ? PORT_SPINS : 0;
        a.patient = !a.round && is_patient(r, t);
    }
    return a;
}

static struct port_action next_of_main(const struct runner *r, const struct runner_thread *t)
{
    uint32_t count = r->p->thread_count;
    if (t->created < count)
        return (struct port_action){.kind = EVENT_CREATE, .expected = 1};
    if (t->created < 2 * count)
        return (struct port_action){
            .kind = EVENT_JOIN, .address = r->number[t->created - count], .expected = 1};
    if (t->created < 2 * count + r->looked_at)
        return (struct port_action){.kind = EVENT_READ,
                                    .operation = OPERATION_LOAD,
                                    .address = ADDRESS + 8 * r->looks_at[t->created - 2 * count],
                                    .size = 8};
    return (struct port_action){.kind = EVENT_END, .operand = true};
}

/* What memory holds in the end is looked at, but for the counter. */
static void find_looks(struct runner *r)
{
    bool written[LOOP_LOCATIONS] = {false};
    for (uint32_t t = 0; t < r->p->thread_count; t++)
        for (uint32_t k = 0; k < r->p->threads[t].count; k++) {
            const struct loop_instruction *i = &r->p->threads[t].code[k];
            if (i->operation > LOOP_LOAD && i->operation <= LOOP_CAS && i->location < LOOP_MUTEX &&
                !written[i->location]) {
                written[i->location] = true;
                r->looks_at[r->looked_at++] = i->location;
            }
        }
}

static void arrive(struct runner *r, uint32_t thread)
{
    struct runner_thread *t = &r->threads[thread];
    uint32_t puts = 0;
    struct port_action a;
    if (thread == 0) {
        a = next_of_main(r, t);
    } else if (t->phase == BEGINS) {
        a = (struct port_action){.kind = EVENT_BEGIN};
    } else {
        if (!loop_settle(&r->p->threads[t->code], &t->own, &puts))
            r->out->trouble = "a loop without steps";
        if (puts && r->way->all_matters)
            note_change(t);
        bool ended = loop_has_ended(&r->p->threads[t->code], &t->own) || t->own.failed;
        a = ended ? (struct port_action){.kind = EVENT_END} : next_access(r, t);
    }
    a.thread = (uint16_t)thread;
    r->next[thread] = a;
}

static void do_access(struct runner *r, struct runner_thread *t, const struct port_answer *answer)
{
    const struct loop_instruction *i = instruction_of(r, t);
    int8_t found = answer->reads ? (int8_t)answer->found : 0;
    struct loop_effect effect = loop_apply(i, &t->own, found, (int8_t)(t->code + 1));
    if (!effect.possible)
        r->out->trouble = "a step that is not possible";
    t->reads += loop_reads(i);
    t->loaded = i->operation == LOOP_LOAD ? t->own.at + 1u : 0;
    bool writes_back = loop_reads(i) && effect.value == found; /* that can be taken back */
    if (effect.writes && !writes_back)
        note_change(t);
    loop_finish(i, &t->own, found, effect.writes);
}

static void take_step(struct runner *r, uint32_t thread, const struct port_answer *answer)
{
    struct runner_thread *t = &r->threads[thread];
    const struct port_action a = r->next[thread];
    switch (a.kind) {
    case EVENT_CREATE:
        r->number[t->created] = answer->thread;
        r->threads[answer->thread] = (struct runner_thread){.phase = BEGINS, .code = t->created++};
        arrive(r, answer->thread);
        break;
    case EVENT_JOIN: t->created++; break;
    case EVENT_READ:
        if (thread == 0)
            t->created++;
        else
            do_access(r, t, answer);
        break;
    case EVENT_BEGIN: t->phase = RUNS; break;
    case EVENT_END: t->phase = GONE; return;
    default: do_access(r, t, answer); break;
    }
    arrive(r, thread);
}

/* ---- executions ---- */

static bool has_failed(const struct runner *r)
{
    for (uint32_t t = 1; t < PORT_THREADS; t++)
        if (r->threads[t].phase == RUNS && r->threads[t].own.failed)
            return true;
    return false;
}

/* As graph_mode_choose_stop does it; thread 0 only creates and joins. */
static void choose_stop(struct runner *r)
{
    const uint16_t *stops = r->way->stops;
    uint32_t thread = stops ? r->e->class->branch(r->e, 1 + r->p->thread_count) : 0;
    if (thread)
        explore_graphs_stop_thread(r->e, thread,
                                   r->e->class->branch(r->e, stops[thread] ? stops[thread] : 1));
}

static void confirm_stuck(struct runner *r);

static void note_stuck(struct runner *r)
{
    uint32_t stopped = explore_graphs_stopped_thread(r->e);
    if (stopped == UINT32_MAX)
        r->out->outcomes.stuck = true;
    else
        r->out->blocked |= 1u << (stopped - 1);
    if (r->way->stops && !r->replays && r->out->executions % 3 == 0)
        confirm_stuck(r);
}

static enum port_outcome run(struct runner *r)
{
    struct port_answer answer = {0};
    uint32_t running = 0, length = 0;
    memset(r->threads, 0, sizeof r->threads);
    for (uint32_t t = 1; t < PORT_THREADS; t++)
        r->threads[t].phase = ABSENT;
    r->threads[0].phase = RUNS;
    choose_stop(r);
    arrive(r, 0);
    while (r->threads[0].phase != GONE) {
        uint64_t waiting = 0;
        for (uint32_t t = 0; t < PORT_THREADS; t++)
            waiting |= (uint64_t)(r->threads[t].phase <= ENDS) << t;
        if (has_failed(r)) {
            r->out->outcomes.failed = true;
            return PORT_ERROR;
        }
        if (r->out->steps >= r->way->steps_most || length++ >= LENGTH_MOST) {
            r->out->ended = false;
            return PORT_CUT;
        }
        uint32_t events = explore_graphs_current(r->e)->count;
        running = r->e->class->advance(r->e, r->next, waiting, running, &answer);
        r->out->steps += explore_graphs_current(r->e)->count != events;
        if (running == PORT_STOP) {
            if (answer.why == PORT_STOP_STUCK)
                note_stuck(r);
            if (answer.why == PORT_STOP_DIVERGED || answer.why == PORT_STOP_LIMIT)
                r->out->trouble = explore_graphs_limit(r->e);
            return PORT_BLOCKED;
        }
        take_step(r, running, &answer);
    }
    return PORT_COMPLETE;
}

/* Follows a schedule and goes on for some steps. How that ends: with the threads that are stuck, if any is. */
static struct loop_result run_recorded(const struct runner *r, const struct schedule_step *steps,
                                       uint32_t count)
{
    enum { BEYOND = 300 };
    struct loop_result out = {.ended = true};
    struct runner again = {.p = r->p, .way = r->way, .out = &out, .replays = true};
    again.e = explore_graphs_replay(r->way->model, steps, count);
    again.e->peek = peek;
    explore_graphs_replay_beyond(again.e, BEYOND);
    find_looks(&again);
    again.e->class->begin(again.e);
    run(&again);
    explore_destroy(again.e);
    return out;
}

/* Stuck threads stay so; those of an execution that is broken off in the middle need not be, which is counted. */
static void confirm_stuck(struct runner *r)
{
    enum { ROOM = 8 * LENGTH_MOST };
    struct schedule_step *steps = NEW_ARRAY(struct schedule_step, ROOM);
    uint32_t count = explore_graphs_schedule(r->e, steps, ROOM),
             stopped = explore_graphs_stopped_thread(r->e);
    if (count <= ROOM) {
        struct loop_result again = run_recorded(r, steps, count);
        bool same = stopped == UINT32_MAX ? again.outcomes.stuck : again.blocked == 1u << (stopped - 1);
        if (again.ended && !same)
            r->out->trouble = "not stuck beyond the end";
        uint32_t middle = 2;
        while (middle < count / 2 || steps[middle].kind != SCHEDULE_THREAD)
            middle++;
        steps[middle] = (struct schedule_step){SCHEDULE_STOP, PORT_STOP_STUCK};
        again = run_recorded(r, steps, middle + 1);
        r->out->got_out += again.ended && !again.outcomes.stuck && !again.blocked;
    }
    free(steps);
}

static void note_outcome(struct runner *r)
{
    const struct graph *g = explore_graphs_current(r->e);
    int8_t memory[LOOP_LOCATIONS] = {0};
    struct loop_thread threads[LOOP_THREADS];
    for (uint32_t i = 0; i < g->location_count; i++)
        if (g->locations[i].init != GRAPH_NONE)
            memory[(g->locations[i].address - ADDRESS) / 8] =
                (int8_t)g->events[g->locations[i].mo_last].value;
    for (uint32_t t = 0; t < r->p->thread_count; t++)
        threads[t] = r->threads[r->number[t]].own;
    vec_push(&r->out->outcomes, loop_outcome(r->p, threads, memory));
}

/* ---- work that is shared ---- */

/* Work that explorers gave away, and what all of them found out so far. */
struct pool {
    VEC(uint8_t) bytes[64];
    uint32_t count;
    struct prng prng;
};

/* Explorers that share have to agree: what is tried is no mutex for any of them. */
static void tell_tried(const struct loop_program *p, struct explorer *e)
{
    for (uint32_t t = 0; t < p->thread_count; t++)
        for (uint32_t k = 0; k < p->threads[t].count; k++)
            if (p->threads[t].code[k].operation == LOOP_TRY)
                explore_graphs_no_mutex(e, ADDRESS + 8u * p->threads[t].code[k].location);
}

static void give_some(struct pool *pool, struct explorer *e)
{
    const void *bytes;
    while (pool->count < 64 && prng_below(&pool->prng, 3) == 0) {
        size_t size = explore_graphs_give(e, &bytes);
        if (!size)
            return;
        vec_reserve(&pool->bytes[pool->count], size);
        memcpy(pool->bytes[pool->count].data, bytes, size);
        pool->bytes[pool->count++].len = size;
    }
}

static void add_counts(struct graphs_counts *sum, const struct graphs_counts *c)
{
    sum->complete += c->complete;
    sum->held += c->held;
    sum->uncertified |= c->uncertified;
    sum->endless |= c->endless;
    for (uint32_t t = 0; t < GRAPH_THREADS_MAX; t++)
        if (c->published[t] > sum->published[t])
            sum->published[t] = c->published[t];
    for (uint32_t k = 0; k < GRAPHS_PLACES; k++) {
        sum->held_places[k] |= c->held_places[k];
        sum->known_places[k] |= c->known_places[k];
    }
    sum->uncertified |= graphs_places_conflict(sum);
}

/* ---- all executions ---- */

/* Some executions are begun once more, as the engine does, and have to be the same. */
static enum port_outcome run_twice(struct runner *r)
{
    enum port_outcome first = run(r);
    if (first == PORT_ERROR || r->out->executions % 16 || !r->out->ended || explore_graphs_repeats(r->e) ||
        explore_graphs_begins_again(r->e))
        return first;
    uint32_t steps = explore_graphs_step_count(r->e);
    explore_graphs_again(r->e);
    enum port_outcome second = run(r);
    if (r->out->ended && (second != first || explore_graphs_step_count(r->e) != steps))
        r->out->trouble = "not the same again";
    return second;
}

static void explore(struct runner *r, struct pool *pool)
{
    struct loop_result *out = r->out;
    const struct graphs_counts *counts = explore_graphs_counts(r->e);
    while (out->ended && !out->trouble && !counts->uncertified && r->e->class->begin(r->e)) {
        enum port_outcome outcome = run_twice(r);
        r->e->class->end(r->e, outcome);
        out->executions++;
        if (outcome == PORT_COMPLETE && !explore_graphs_repeats(r->e))
            note_outcome(r);
        if (pool)
            give_some(pool, r->e);
    }
    add_counts(&out->counts, counts);
}

static struct explorer *new_explorer(const struct loop_program *p, const struct loop_way *way)
{
    struct graphs_settings settings = {.model = way->model,
                                       .base_rule_only = way->rounds > 0,
                                       .plain_reads_noted = true,
                                       .returns = way->returns,
                                       .counts_published = true,
                                       .scheduler_seed = way->seed};
    struct explorer *e = explore_graphs(&settings);
    e->peek = peek;
    if (way->shares)
        tell_tried(p, e);
    return e;
}

static void explore_shared(struct runner *r, struct pool *pool)
{
    while (pool->count > 0 && r->out->ended && !r->out->trouble && !r->out->counts.uncertified) {
        explore_destroy(r->e);
        r->e = new_explorer(r->p, r->way);
        pool->count--;
        if (!explore_graphs_take(r->e, pool->bytes[pool->count].data, pool->bytes[pool->count].len))
            r->out->trouble = "did not take what was given";
        explore(r, pool);
    }
}

void loop_run(const struct loop_program *p, const struct loop_way *way, struct loop_result *out)
{
    struct pool *pool = way->shares ? NEW(struct pool) : NULL;
    struct runner r = {.p = p, .way = way, .out = out, .e = new_explorer(p, way)};
    find_looks(&r);
    out->outcomes.len = 0;
    out->outcomes.failed = out->outcomes.stuck = false;
    out->ended = true;
    out->steps = out->executions = 0;
    out->trouble = NULL;
    out->blocked = 0;
    out->got_out = 0;
    out->counts = (struct graphs_counts){0};
    if (pool)
        pool->prng = prng_start(way->seed, 7);
    explore(&r, pool);
    if (pool)
        explore_shared(&r, pool);
    for (uint32_t k = 0; pool && k < 64; k++)
        vec_free(&pool->bytes[k]);
    free(pool);
    loop_sort_outcomes(&out->outcomes);
    explore_destroy(r.e);
}
