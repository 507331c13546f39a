/* SPDX-License-Identifier: Apache-2.0 */
/* What is left of an execution with an error: how to repeat it, and what its graph says about its events. */
#include "engine/graph_mode/graph_mode.h"

#include "base/memory.h"
#include "base/vec.h"
#include "engine/engine_state.h"
#include "explore/graphs_display.h"
#include "explore/graphs_replay.h"

_Static_assert((int)PROTOCOL_GRAPH_THREADS == (int)GRAPH_THREADS_MAX, "relations have room for all threads");

bool graph_mode_relates;

/* A step of the explorer and the events that were kept when it began: its own come next. */
struct noted_step {
    uint32_t step, events;
};

static VEC(struct noted_step) noted;

void graph_mode_forget_steps(void)
{
    vec_clear(&noted);
}

void graph_mode_note_step(void)
{
    const struct worker_shared *s = engine.shared;
    if (s->event_count < PROTOCOL_RELATIONS)
        vec_push(&noted, ((struct noted_step){explore_graphs_step_count(engine.explorer), s->event_count}));
}

static bool is_access(unsigned kind)
{
    return kind == EVENT_READ || kind == EVENT_WRITE || kind == EVENT_UPDATE || kind == EVENT_CAS_FAILED;
}

/* Is it an event that comes along with a step? */
static bool is_beside_step(const struct event *e)
{
    return e->kind == EVENT_PLAIN_READ || e->kind == EVENT_PLAIN_WRITE || e->kind == EVENT_ALLOC ||
           e->kind == EVENT_FREE || e->kind == EVENT_BEGIN;
}

/* The event among those of a step that is the step itself. */
static bool is_step_itself(const struct event *e, const struct graphs_relation *r)
{
    return !r->plain && !is_beside_step(e) && (r->reads || r->writes);
}

struct relating {
    struct worker_shared *shared;
    const struct graphs_relation *by_step;
    uint32_t step_count;
    uint32_t *event_of; /* by step: the number of its event, from 1 */
    uint32_t last_of[PROTOCOL_GRAPH_THREADS];
};

static uint32_t event_of(const struct relating *x, uint32_t step)
{
    return step ? x->event_of[step - 1] : 0;
}

static void relate(const struct relating *x, uint32_t step, uint32_t k)
{
    const struct graphs_relation *from = &x->by_step[step - 1];
    struct worker_relation *to = &x->shared->relations[k];
    *to = (struct worker_relation){0};
    for (uint32_t t = 0; t < PROTOCOL_GRAPH_THREADS; t++)
        to->before[t] = from->before[t] && from->before[t] != step ? event_of(x, from->before[t]) : 0;
    if (x->event_of[step - 1] != k + 1 || !is_step_itself(&x->shared->events[k], from))
        return;
    to->reads = from->reads;
    to->writes = from->writes;
    to->source = event_of(x, from->source);
    to->newest = event_of(x, from->newest);
    to->source_plain = from->source && x->by_step[from->source - 1].plain;
    to->newest_plain = from->newest && x->by_step[from->newest - 1].plain;
    to->place = from->place;
    bool odd = from->writes ? from->newest != step : from->newest != from->source;
    /* A step of an object that only looked, such as a lock that was tried in vain, may be late like a load */
    to->stale = odd && (is_access(x->shared->events[k].kind) || !from->writes);
}

/* Others refer to a step by the event that is the step itself; a step that has no such event by its first, or by the one
 * before of its thread. */
static void name_step(struct relating *x, uint32_t step, uint32_t from, uint32_t to)
{
    const struct graphs_relation *r = &x->by_step[step - 1];
    uint32_t *last = &x->last_of[r->thread % PROTOCOL_GRAPH_THREADS];
    uint32_t k = from;
    while (k < to && !is_step_itself(&x->shared->events[k], r))
        k++;
    *last = k < to ? k + 1 : from < to ? from + 1 : *last;
    x->event_of[step - 1] = *last;
}

/* The events after those that were kept when step number i of the noted ones began: up to this one. */
static uint32_t end_of(const struct relating *x, size_t i)
{
    return i + 1 < noted.len ? noted.data[i + 1].events : x->shared->event_count;
}

/* Choices and plain writes have numbers and were not noted: they are no steps of their own. */
static void name_steps(struct relating *x)
{
    size_t i = 0;
    for (uint32_t step = 1; step <= x->step_count; step++) {
        bool is_noted = i < noted.len && noted.data[i].step == step;
        name_step(x, step, is_noted ? noted.data[i].events : 0, is_noted ? end_of(x, i) : 0);
        i += is_noted;
    }
}

static void relate_steps(struct relating *x)
{
    for (size_t i = 0; i < noted.len; i++)
        for (uint32_t k = noted.data[i].events; k < end_of(x, i); k++)
            relate(x, noted.data[i].step, k);
}

static void relate_events(struct worker_shared *s)
{
    uint32_t count = explore_graphs_step_count(engine.explorer);
    if (s->events_lost || s->event_count > PROTOCOL_RELATIONS || !count)
        return;
    OWNED struct graphs_relation *by_step = NEW_ZEROED(struct graphs_relation, count);
    explore_graphs_relate(engine.explorer, by_step);
    OWNED uint32_t *event_of = NEW_ZEROED(uint32_t, count);
    struct relating x = {.shared = s, .by_step = by_step, .step_count = count, .event_of = event_of};
    name_steps(&x);
    relate_steps(&x);
    s->relation_count = s->event_count;
}

uint32_t graph_mode_event_of(uint32_t event)
{
    const struct worker_shared *s = engine.shared;
    uint32_t step = explore_graphs_step_of(engine.explorer, event);
    for (size_t i = 0; i < noted.len && !s->events_lost && step; i++) {
        uint32_t end = i + 1 < noted.len ? noted.data[i + 1].events : s->event_count;
        if (noted.data[i].step == step)
            for (uint32_t k = noted.data[i].events; k < end; k++)
                if (!is_beside_step(&s->events[k]))
                    return k + 1;
    }
    return 0;
}

static void record_displays(struct worker_shared *s)
{
    for (uint32_t i = 0; i < DISPLAYS && s->relation_count; i++)
        s->displays[i].count = explore_graphs_display_schedule(engine.explorer, i == DISPLAY_CAUSES,
                                                               s->displays[i].schedule, PROTOCOL_DISPLAY);
}

void graph_mode_record(void)
{
    struct worker_shared *s = engine.shared;
    if (!engine_graph_mode)
        return;
    if (s->config.mode == WORKER_REPLAY) {
        relate_events(s);
        record_displays(s);
        return;
    }
    uint32_t count = explore_graphs_schedule(engine.explorer, s->schedule, PROTOCOL_SCHEDULE);
    s->choice_count = count < PROTOCOL_SCHEDULE ? count : PROTOCOL_SCHEDULE;
    s->choices_lost = count - s->choice_count;
}
