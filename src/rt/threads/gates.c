/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/threads/gates.h"

void gate_enter_to_look(struct gate *g, const void *pc)
{
    engine_depend_on_order();
    engine_begin_whole();
    mutex_lock((struct mutex *)&g->mutex, NULL, pc);
}

void gate_enter(struct gate *g, const void *pc)
{
    engine_note_effect();
    gate_enter_to_look(g, pc);
}

bool gate_wait_at(struct gate *g, pthread_cond_t *place, const struct deadline *limit, const void *pc)
{
    return condition_wait_firmly(place, (struct mutex *)&g->mutex, limit, pc) == 0;
}

bool gate_wait(struct gate *g, const struct deadline *limit, const void *pc)
{
    return gate_wait_at(g, &g->changed, limit, pc);
}

void gate_wake_at(pthread_cond_t *place, const void *pc)
{
    condition_wake(place, true, pc);
}

void gate_leave(struct gate *g, bool changed, const void *pc)
{
    if (changed)
        gate_wake_at(&g->changed, pc);
    mutex_unlock((struct mutex *)&g->mutex, pc);
    engine_end_whole();
}

const struct deadline *gate_limit_after(const struct timespec *span, struct timespec *moment,
                                        struct deadline *limit)
{
    const long second = 1000000000;
    if (!span)
        return NULL;
    clock_gettime(CLOCK_MONOTONIC, moment);
    moment->tv_sec += span->tv_sec + (moment->tv_nsec + span->tv_nsec) / second;
    moment->tv_nsec = (moment->tv_nsec + span->tv_nsec) % second;
    *limit = (struct deadline){CLOCK_MONOTONIC, moment};
    return limit;
}
