/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/loop/loops.h"

#include "base/hash.h"
#include "base/vec.h"
#include "engine/engine_state.h"
#include "explore/graphs.h"

enum {
    /* More than twice those of the first execution: steps, and visits */
    MORE_STEPS = 512,
    MORE_VISITS = 16,
    /* The first execution begins again and again, with a step more that a thread waited for: after so many steps in all */
    FIRST_WORK = 1 << 21,
};

struct visits {
    struct worker_visits of;
    uint32_t last; /* number of the event */
};

struct loops_watch loops_watch;

static struct {
    struct hash_map visits; /* how often, by thread and place: in this execution, with bounds */
    struct hash_map first;  /* by place: in the first one */
    struct hash_map numbers;
    VEC(struct visits)
    /* in the events of an execution that is looked at, numbers by thread and place */
    seen;
    bool is_first, is_cut, samples;
    uint64_t first_steps; /* 0: there was none yet */
    uint64_t before;      /* steps of the worker before the first execution */
} loops;

static bool suspects(void)
{
    const struct worker_config *c = &engine.shared->config;
    return (loops.is_first || (c->suspects && loops.first_steps)) && !worker_is_serial(c);
}

static uint64_t usual_steps(void)
{
    return loops.is_first ? UINT32_MAX : 2 * loops.first_steps + MORE_STEPS;
}

static void set_floor(uint64_t steps)
{
    uint32_t limit = engine.shared->config.step_limit;
    loops_watch.floor = suspects() && steps < limit ? limit - (uint32_t)steps : 0;
}

static void learn_first(void)
{
    const struct worker_loops *l = &engine.shared->loops;
    hash_map_clear(&loops.first);
    for (uint32_t k = 0; k < l->first_count; k++)
        *hash_map_at(&loops.first, l->first[k].pc) = l->first[k].count;
}

static uint32_t visits_in_first(uint64_t pc)
{
    uint32_t count = hash_map_get(&loops.first, pc);
    return count == HASH_NO_NUMBER ? 0 : count;
}

void loops_prepare(void)
{
    loops_watch.bounds = engine.shared->config.loops != 0;
    if (engine.shared->config.first_known && !loops.first.count)
        learn_first();
}

static struct worker_visits held; /* in this execution */

void loops_reset(void)
{
    loops_watch.bounds = engine.shared->config.loops && !loops.is_first;
    if (loops_watch.bounds)
        hash_map_clear(&loops.visits);
    bool takes_long = loops.is_first && engine.shared->steps - loops.before > FIRST_WORK;
    set_floor(takes_long ? 0 : usual_steps());
    held = (struct worker_visits){0};
}

/* ------------------------------------------------------------------ bounds */

static uint32_t count_visit(uint64_t pc)
{
    uint32_t *count = hash_map_at(&loops.visits, hash_combine(engine.current, pc));
    *count = *count == HASH_NO_NUMBER ? 1 : *count + 1;
    return *count;
}

static void note_met(uint64_t pc, uint32_t most)
{
    struct worker_loops *l = &engine.shared->loops;
    for (uint32_t k = 0; k < l->met_count; k++)
        if (l->met[k].pc == pc)
            return;
    if (l->met_count < PROTOCOL_LOOPS)
        l->met[l->met_count++] = (struct worker_visits){pc, most, engine.current};
    else
        l->met_lost = 1;
}

bool loops_met_bound(void)
{
    uint64_t pc = engine.running->pc;
    if (!pc || explore_graphs_is_beyond(engine.explorer)) /* steps of the runtime itself have no place */
        return false;
    const struct worker_config *c = &engine.shared->config;
    uint32_t most = c->loops + (c->sticky ? 0 : visits_in_first(pc)), visits = count_visit(pc);
    if (visits <= most)
        return false;
    if (!loops.samples)
        note_met(pc, most);
    engine_limit(LIMIT_LOOPS);
    engine.next[engine.current].sticky = c->sticky != 0;
    return visits > most + c->sticky;
}

void loops_note_repeated(uint64_t pc)
{
    if (pc)
        count_visit(pc);
}

void loops_see_held(uint32_t thread)
{
    if (thread < THREADS_MAX && (!held.pc || held.thread != thread))
        held = (struct worker_visits){engine.threads[thread].pc, engine.shared->config.returns, thread};
}

void loops_note_held(void)
{
    engine.shared->loops.held = held;
}

/* ------------------------------------------------------------------ suspicion */

static void see(const struct event *e, uint32_t number)
{
    uint32_t *at = hash_map_at(&loops.numbers, hash_combine(e->thread, e->pc));
    if (*at == HASH_NO_NUMBER) {
        *at = (uint32_t)loops.seen.len;
        vec_push(&loops.seen, ((struct visits){.of = {.pc = e->pc, .thread = e->thread}}));
    }
    struct visits *v = &loops.seen.data[*at];
    v->of.count++;
    v->last = number;
}

/* Of a very long execution some events are missing; there are enough left. */
static void see_all(void)
{
    const struct worker_shared *s = engine.shared;
    hash_map_clear(&loops.numbers);
    vec_clear(&loops.seen);
    for (uint32_t k = 0; k < s->event_count; k++)
        if (s->events[k].pc)
            see(&s->events[k], k);
}

static uint64_t too_many(uint64_t pc)
{
    return 2 * (uint64_t)visits_in_first(pc) + MORE_VISITS;
}

/* Rounds of loops that give up are no sign of loops without end. */
static uint32_t patience_of(uint32_t thread)
{
    const struct graph *g = explore_graphs_current(engine.explorer);
    uint32_t count = 0;
    for (uint32_t e = g->threads[thread].first; e != GRAPH_NONE; e = g->events[e].po_after)
        count += (g->events[e].flags & GRAPH_PATIENT) != 0;
    return count;
}

/* The place that was visited the most, of those that were visited too often; null: there is none. */
static const struct visits *find_suspect(void)
{
    const struct visits *found = NULL;
    see_all();
    for (size_t k = 0; k < loops.seen.len; k++) {
        const struct visits *v = &loops.seen.data[k];
        if (v->of.count > too_many(v->of.pc) + patience_of(v->of.thread) &&
            (!found || v->of.count > found->of.count))
            found = v;
    }
    return found;
}

static _Noreturn void end_suspected(const struct visits *v)
{
    struct worker_shared *s = engine.shared;
    loops.is_cut = true;
    if (s->config.suspects && !loops.samples) {
        s->loops.suspect = v->of;
        engine_limit(LIMIT_SUSPECTED);
    }
    engine_end(PORT_CUT);
}

void loops_blame(void)
{
    const struct visits *v = suspects() ? find_suspect() : NULL;
    if (v)
        end_suspected(v);
}

void loops_note_cut(void)
{
    struct worker_shared *s = engine.shared;
    const struct visits *most = NULL;
    engine_limit(LIMIT_STEPS);
    if (s->loops.cut_pc)
        return;
    see_all();
    for (size_t k = 0; k < loops.seen.len; k++)
        if (!most || loops.seen.data[k].of.count > most->of.count)
            most = &loops.seen.data[k];
    s->loops.cut_pc = most ? most->of.pc : 0;
}

void loops_look(void)
{
    loops_blame();
    if (engine.steps_left == UINT32_MAX) { /* there was none before this one */
        loops_note_cut();
        engine_end(PORT_CUT);
    }
    set_floor(2 * (uint64_t)(engine.shared->config.step_limit - engine.steps_left));
}

bool loops_is_long(uint64_t steps)
{
    return suspects() && steps > usual_steps();
}

void loops_sample(bool samples)
{
    loops.samples = samples;
}

/* ------------------------------------------------------------------ the first execution */

void loops_begin_first(void)
{
    loops.is_first = true;
    loops.is_cut = false;
    loops.before = engine.shared->steps;
}

/* Of all threads the one that came most often; where the execution did not end, places that it came to in its second half
 * have no number. */
static void note_first(struct worker_loops *l, const struct visits *v)
{
    if (loops.is_cut && v->last >= engine.shared->event_count / 2)
        return;
    uint32_t *at = hash_map_at(&loops.first, v->of.pc);
    if (*at == HASH_NO_NUMBER && l->first_count == PROTOCOL_VISITS)
        return;
    if (*at == HASH_NO_NUMBER) {
        *at = l->first_count;
        l->first[l->first_count++] = (struct worker_visits){v->of.pc, 0, 0};
    }
    if (l->first[*at].count < v->of.count)
        l->first[*at].count = v->of.count;
}

bool loops_is_first(void)
{
    return loops.is_first;
}

void loops_end_first(void)
{
    struct worker_loops *l = &engine.shared->loops;
    loops.is_first = false;
    loops.first_steps = engine.shared->config.step_limit - engine.steps_left;
    if (engine.shared->config.first_known)
        return;
    see_all();
    hash_map_clear(&loops.first);
    l->first_count = 0;
    for (size_t k = 0; k < loops.seen.len; k++)
        note_first(l, &loops.seen.data[k]);
    learn_first();
}

/* ------------------------------------------------------------------ rounds */

static void add_to_round(struct worker_round *r, uint64_t pc)
{
    for (uint32_t k = 0; k < r->count; k++)
        if (r->pcs[k] == pc)
            return;
    if (r->count < PROTOCOL_ROUND)
        r->pcs[r->count++] = pc;
}

/* The event, counted from the last one: the second half of them is a ring. */
static const struct event *event_from_end(uint32_t number)
{
    const struct worker_shared *s = engine.shared;
    const uint32_t half = PROTOCOL_EVENTS_FIRST, size = PROTOCOL_EVENTS - half;
    if (!s->events_lost)
        return &s->events[s->event_count - 1 - number];
    return number < size ? &s->events[half + (s->events_lost + size - 1 - number) % size] : NULL;
}

void loops_find_round(uint32_t thread, struct worker_round *out)
{
    uint64_t pc = engine.threads[thread].pc;
    *out = (struct worker_round){.thread = thread};
    const struct event *e = NULL;
    for (uint32_t k = 0; k < engine.shared->event_count && (e = event_from_end(k)); k++) {
        if (e->thread != thread || !e->pc)
            continue;
        add_to_round(out, e->pc);
        if (e->pc == pc)
            return;
    }
    out->count = 0;
}
