/* SPDX-License-Identifier: Apache-2.0 */
/* Where in an execution a mark of a specification in comments stands. */
#include "engine/engine.h"

#include "engine/engine_state.h"
#include "explore/graphs_memory.h"

uint32_t engine_position(void)
{
    uint32_t width;
    if (!engine_graph_mode)
        return engine.shared->event_count;
    const uint16_t *events = explore_graphs_clock(engine.explorer, engine.current, &width);
    return engine.current < width ? events[engine.current] : 0;
}

uint32_t engine_last_access(void)
{
    const struct worker_shared *s = engine.shared;
    if (engine_graph_mode)
        return explore_graphs_last_access(engine.explorer, engine.current);
    if (s->events_lost)
        engine_limit(LIMIT_CALLS);
    for (uint32_t k = s->event_count; k-- > 0;)
        if (s->events[k].thread == engine.current && event_is_access(s->events[k].kind))
            return k;
    return UINT32_MAX;
}

void engine_note_mark(void)
{
    engine.running->marked = engine_position();
}

/* Of schedules only a search for all of them leaves rounds out. A mark is in the round if the thread has taken no more steps since than it has read locations in the round. */
void engine_check_spin_for_marks(void)
{
    const struct worker_shared *s = engine.shared;
    const struct thread *t = engine.running;
    uint32_t steps = 0;
    for (uint32_t k = t->marked; k < s->event_count; k++)
        steps += s->events[k].thread == engine.current;
    if (s->config.mode == WORKER_DFS && steps <= t->spin.location_count)
        engine_limit(LIMIT_MARKS);
}
