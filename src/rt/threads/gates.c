/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/threads/gates.h"

void gate_enter(struct gate *g, const void *pc)
{
    engine_depend_on_order();
    engine_note_effect();
    mutex_lock((struct mutex *)&g->mutex, NULL, pc);
}

bool gate_wait(struct gate *g, const struct deadline *limit, const void *pc)
{
    return condition_wait_firmly(&g->changed, (struct mutex *)&g->mutex, limit, pc) == 0;
}

void gate_leave(struct gate *g, bool changed, const void *pc)
{
    if (changed)
        condition_wake(&g->changed, true, pc);
    mutex_unlock((struct mutex *)&g->mutex, pc);
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
