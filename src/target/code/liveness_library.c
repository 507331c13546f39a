/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the C library that threads wait in, or pass the time with. None of them keeps an address that it was given. */
#include "target/code/liveness_state.h"

#include <string.h>
#include <time.h>

enum { FIRST = 1, SECOND = 2, THIRD = 4, FOURTH = 8 };

static const struct library_call rows[] = {
    {.name = "sem_wait", .arguments = 1, .is_step = true},
    {.name = "sem_post", .arguments = 1, .is_step = true},
    {.name = "sem_trywait", .arguments = 1, .is_step = true},
    {.name = "sem_timedwait", .arguments = 2, .lent = SECOND, .is_step = true},
    {.name = "sem_clockwait", .arguments = 3, .lent = THIRD, .is_step = true},
    {.name = "pthread_mutex_lock", .arguments = 1, .is_step = true},
    {.name = "pthread_mutex_trylock", .arguments = 1, .is_step = true},
    {.name = "pthread_mutex_timedlock", .arguments = 2, .lent = SECOND, .is_step = true},
    {.name = "pthread_mutex_clocklock", .arguments = 3, .lent = THIRD, .is_step = true},
    {.name = "pthread_mutex_unlock", .arguments = 1, .is_step = true},
    {.name = "pthread_cond_wait", .arguments = 2, .is_step = true},
    {.name = "pthread_cond_timedwait", .arguments = 3, .lent = THIRD, .is_step = true},
    {.name = "pthread_cond_clockwait", .arguments = 4, .lent = FOURTH, .is_step = true},
    {.name = "pthread_cond_signal", .arguments = 1, .is_step = true},
    {.name = "pthread_cond_broadcast", .arguments = 1, .is_step = true},
    {.name = "pthread_rwlock_rdlock", .arguments = 1, .is_step = true},
    {.name = "pthread_rwlock_wrlock", .arguments = 1, .is_step = true},
    {.name = "pthread_rwlock_tryrdlock", .arguments = 1, .is_step = true},
    {.name = "pthread_rwlock_trywrlock", .arguments = 1, .is_step = true},
    {.name = "pthread_rwlock_unlock", .arguments = 1, .is_step = true},
    {.name = "pthread_spin_lock", .arguments = 1, .is_step = true},
    {.name = "pthread_spin_trylock", .arguments = 1, .is_step = true},
    {.name = "pthread_spin_unlock", .arguments = 1, .is_step = true},
    {.name = "pthread_create", .arguments = 4, .lent = FIRST},
    {.name = "pthread_join", .arguments = 2, .lent = SECOND},
    {.name = "clock_gettime",
     .arguments = 2,
     .lent = SECOND,
     .overwrites = SECOND,
     .size = sizeof(struct timespec)},
    {.name = "memcpy", .arguments = 3, .lent = FIRST, .returns_first = true},
    {.name = "memset", .arguments = 3, .lent = FIRST, .returns_first = true},
    {.name = "__tsan_read_range", .arguments = 2, .lent = FIRST},
    {.name = "__tsan_write_range", .arguments = 2, .lent = FIRST},
    {.name = "nanosleep", .arguments = 2},
    {.name = "clock_nanosleep", .arguments = 4},
    {.name = "thrd_sleep", .arguments = 2},
    {.name = "usleep", .arguments = 1},
    {.name = "sleep", .arguments = 1},
    {.name = "poll", .arguments = 3}, /* without files; with some it is not done */
};

const struct library_call *liveness_library_row(const char *callee)
{
    for (size_t k = 0; *callee && k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].name, callee) == 0)
            return &rows[k];
    return NULL;
}

bool liveness_is_step(const struct code_instruction *i)
{
    const struct library_call *row = i->machine.flow == FLOW_CALL ? liveness_library_row(i->callee) : NULL;
    return liveness_is_atomic_call(i) || (row && row->is_step);
}
