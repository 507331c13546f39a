/* SPDX-License-Identifier: Apache-2.0 */
#include "machine/known_calls.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

enum { FIRST = 1, SECOND = 2, THIRD = 4, FOURTH = 8 };

static const struct known_call rows[] = {
    {.name = "sched_yield", .kind = CALL_YIELDS},
    {.name = "thrd_yield", .kind = CALL_YIELDS},
    {.name = "pthread_yield", .kind = CALL_YIELDS},

    {.name = "nanosleep", .kind = CALL_SLEEPS, .arguments = 2},
    {.name = "clock_nanosleep", .kind = CALL_SLEEPS, .arguments = 4},
    {.name = "thrd_sleep", .kind = CALL_SLEEPS, .arguments = 2},
    {.name = "usleep", .kind = CALL_SLEEPS, .arguments = 1},
    {.name = "sleep", .kind = CALL_SLEEPS, .arguments = 1},
    /* With files they say themselves whether they have an effect */
    {.name = "poll", .kind = CALL_SLEEPS, .arguments = 3},
    {.name = "ppoll", .kind = CALL_SLEEPS, .arguments = 4},
    {.name = "select", .kind = CALL_SLEEPS, .arguments = 5},
    {.name = "pselect", .kind = CALL_SLEEPS, .arguments = 6},
    {.name = "epoll_wait", .kind = CALL_SLEEPS, .arguments = 4},
    {.name = "epoll_pwait", .kind = CALL_SLEEPS, .arguments = 5},
    {.name = "read", .kind = CALL_SLEEPS, .arguments = 3},
    {.name = "recv", .kind = CALL_SLEEPS, .arguments = 4},
    {.name = "eventfd_read", .kind = CALL_SLEEPS, .arguments = 2},

    {.name = "sem_wait", .kind = CALL_STEPS, .arguments = 1},
    {.name = "sem_post", .kind = CALL_STEPS, .arguments = 1},
    {.name = "sem_trywait", .kind = CALL_TRIES, .arguments = 1},
    {.name = "sem_timedwait", .kind = CALL_STEPS, .arguments = 2, .lent = SECOND},
    {.name = "sem_clockwait", .kind = CALL_STEPS, .arguments = 3, .lent = THIRD},
    {.name = "mtx_lock", .kind = CALL_STEPS, .arguments = 1},
    {.name = "mtx_trylock", .kind = CALL_TRIES, .arguments = 1},
    {.name = "mtx_unlock", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_mutex_lock", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_mutex_trylock", .kind = CALL_TRIES, .arguments = 1},
    {.name = "pthread_mutex_timedlock", .kind = CALL_STEPS, .arguments = 2, .lent = SECOND},
    {.name = "pthread_mutex_clocklock", .kind = CALL_STEPS, .arguments = 3, .lent = THIRD},
    {.name = "pthread_mutex_unlock", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_cond_wait", .kind = CALL_STEPS, .arguments = 2},
    {.name = "pthread_cond_timedwait", .kind = CALL_STEPS, .arguments = 3, .lent = THIRD},
    {.name = "pthread_cond_clockwait", .kind = CALL_STEPS, .arguments = 4, .lent = FOURTH},
    {.name = "pthread_cond_signal", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_cond_broadcast", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_rwlock_rdlock", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_rwlock_wrlock", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_rwlock_tryrdlock", .kind = CALL_TRIES, .arguments = 1},
    {.name = "pthread_rwlock_trywrlock", .kind = CALL_TRIES, .arguments = 1},
    {.name = "pthread_rwlock_unlock", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_spin_lock", .kind = CALL_STEPS, .arguments = 1},
    {.name = "pthread_spin_trylock", .kind = CALL_TRIES, .arguments = 1},
    {.name = "pthread_spin_unlock", .kind = CALL_STEPS, .arguments = 1},

    {.name = "pthread_create", .arguments = 4, .lent = FIRST},
    {.name = "pthread_join", .arguments = 2, .lent = SECOND},
    {.name = "pthread_self", .kind = CALL_QUIET},
    {.name = "pthread_equal", .kind = CALL_QUIET, .arguments = 2},
    {.name = "thrd_current", .kind = CALL_QUIET},
    {.name = "clock_gettime",
     .arguments = 2,
     .lent = SECOND,
     .overwrites = SECOND,
     .size = sizeof(struct timespec)},
    {.name = "rand"},

    {.name = "memcpy", .kind = CALL_QUIET, .arguments = 3, .lent = FIRST, .returns_first = true},
    {.name = "memset", .kind = CALL_QUIET, .arguments = 3, .lent = FIRST, .returns_first = true},
    {.name = "memmove", .kind = CALL_QUIET, .arguments = 3},
    {.name = "memcmp", .arguments = 3},
    {.name = "strlen", .arguments = 1},
    {.name = "__tsan_read_range", .kind = CALL_QUIET, .arguments = 2, .lent = FIRST},
    {.name = "__tsan_write_range", .kind = CALL_QUIET, .arguments = 2, .lent = FIRST},

    {.name = "malloc", .kind = CALL_QUIET, .arguments = 1},
    {.name = "calloc", .kind = CALL_QUIET, .arguments = 2},
    {.name = "free", .kind = CALL_QUIET, .arguments = 1},
    {.name = "realloc", .arguments = 2},
    {.name = "aligned_alloc", .arguments = 2},
    {.name = "_Znwm", .arguments = 1},
    {.name = "_Znam", .arguments = 1},
    {.name = "_ZdlPv", .arguments = 1},
    {.name = "_ZdlPvm", .arguments = 2},
    {.name = "_ZdaPv", .arguments = 1},
    {.name = "_ZdaPvm", .arguments = 2},

    {.name = "_ZSt11_Hash_bytesPKvmm", .kind = CALL_QUIET, .arguments = 3},
    {.name = "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", .kind = CALL_QUIET, .arguments = 1},
    {.name = "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base", .kind = CALL_QUIET, .arguments = 1},
    {.name = "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", .kind = CALL_QUIET, .arguments = 1},
    {.name = "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", .kind = CALL_QUIET, .arguments = 1},
    {.name = "__cxa_begin_catch", .arguments = 1},
    {.name = "__cxa_end_catch"},
    {.name = "__cxa_allocate_exception", .arguments = 1},
    {.name = "__cxa_free_exception", .arguments = 1},
    {.name = "__cxa_guard_acquire", .arguments = 1},
    {.name = "__cxa_guard_release", .arguments = 1},
    {.name = "__cxa_finalize", .kind = CALL_QUIET, .arguments = 1},

    {.name = "abort", .kind = CALL_ENDS},
    {.name = "exit", .kind = CALL_ENDS, .arguments = 1},
    {.name = "_exit", .kind = CALL_ENDS, .arguments = 1},
    {.name = "__assert_fail", .kind = CALL_ENDS, .arguments = 4},
    {.name = "__stack_chk_fail", .kind = CALL_ENDS},
    {.name = "_Unwind_Resume", .kind = CALL_ENDS, .arguments = 1},
    {.name = "__cxa_throw", .kind = CALL_ENDS, .arguments = 3},
    {.name = "__cxa_rethrow", .kind = CALL_ENDS},
    {.name = "__cxa_throw_bad_array_new_length", .kind = CALL_ENDS},
    {.name = "_ZSt9terminatev", .kind = CALL_ENDS},
};

const struct known_call *known_call_find(const char *name)
{
    for (size_t k = 0; *name && k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].name, name) == 0)
            return &rows[k];
    return NULL;
}

enum known_call_kind known_call_kind_of(const char *name)
{
    const struct known_call *row = known_call_find(name);
    return row ? row->kind : CALL_OTHER;
}

bool known_is_openmp(const char *library)
{
    static const char *const names[] = {"libgomp.", "libomp.", "libiomp5."};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strncmp(library, names[k], strlen(names[k])) == 0)
            return true;
    return false;
}
