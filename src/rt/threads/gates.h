/* SPDX-License-Identifier: Apache-2.0 */
/* What the system keeps for the program, under a lock of its own: a thread enters, waits inside until others have changed it, and
 * leaves. Threads that enter are ordered, as the system orders them. */
#ifndef RT_GATES_H
#define RT_GATES_H

#include "rt/threads/locks.h"

/* In memory of the runtime; all zero is ready. */
struct gate {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

void gate_enter(struct gate *g, const void *pc);
bool gate_wait(struct gate *g, const struct deadline *limit, const void *pc); /* false: the limit expired */
void gate_leave(struct gate *g, bool changed, const void *pc);

/* The thread may leave without having changed or learned anything: a round of a loop that does that can be left out. Else the caller notes
 * the effect. */
void gate_enter_to_look(struct gate *g, const void *pc);

/* Waiting at a condition of the waiting thread's own, so that only those are woken that can go on. */
bool gate_wait_at(struct gate *g, pthread_cond_t *place, const struct deadline *limit, const void *pc);
void gate_wake_at(pthread_cond_t *place, const void *pc);

/* The moment that is so far from now; null stays null. */
const struct deadline *gate_limit_after(const struct timespec *span, struct timespec *moment,
                                        struct deadline *limit);

#endif
