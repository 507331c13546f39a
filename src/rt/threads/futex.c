/* SPDX-License-Identifier: Apache-2.0 */
/* syscall(): futexes, by which libstdc++ waits, and the rest (rt/system/system_calls.h). */
#include "rt/threads/locks.h"
#include "engine/memory/snapshot.h"
#include "rt/start.h"
#include "rt/system/system_calls.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long fail_with(int error)
{
    errno = error;
    return -1;
}

/* The bits by which a sleeper wants to be woken. */
static uint32_t wanted[CLOCKS_THREADS_MAX];

/* The kernel looks at the word and puts the thread to sleep under a lock of its own. Elsewhere that is one step; in a
 * graph the lock is an object next to the one where threads sleep. */
static bool kernel_is_free(void *unused)
{
    return true;
}

static void enter_kernel(const uint32_t *word, enum event_kind kind, const void *pc)
{
    if (!engine_graph_mode)
        return;
    engine_describe_access(OPERATION_NONE, ORDER_SEQ_CST, ORDER_RELAXED, 0,
                           0); /* Linux has a full barrier here */
    engine_step(EVENT_FENCE, 0, 0, pc);
    engine_describe(OPERATION_LOCK, locks_me(), 0, ORDER_ACQUIRE);
    engine_wait(kind, (uint64_t)word + 1, kernel_is_free, NULL, pc);
    engine_begin_whole();
}

static void leave_kernel(const uint32_t *word, enum event_kind kind, const void *pc)
{
    if (!engine_graph_mode)
        return;
    engine_describe(OPERATION_UNLOCK, 0, 0, ORDER_RELEASE);
    engine_step(kind, (uint64_t)word + 1, 0, pc);
    engine_end_whole();
}

static void fall_asleep(const uint32_t *word, const void *pc)
{
    if (engine_graph_mode) {
        engine_describe(OPERATION_SLEEP, engine_current(), 0, ORDER_RELAXED);
        engine_step(EVENT_FUTEX_WAIT, (uint64_t)word, 0, pc);
    }
    sleep_begin(word);
}

static long wait_futex(uint32_t *word, uint32_t expected, uint32_t bits, const struct deadline *limit,
                       const void *pc)
{
    enter_kernel(word, EVENT_FUTEX_WAIT, pc);
    engine_describe_access(OPERATION_LOAD, ORDER_RELAXED, ORDER_RELAXED, 0, 0);
    engine_step(EVENT_FUTEX_WAIT, (uint64_t)word, sizeof *word, pc);
    heap_check((uint64_t)word, sizeof *word, pc);
    engine_system_read((uint64_t)word, sizeof *word, pc);
    uint32_t found = *word;
    engine_note(EVENT_FUTEX_WAIT, (uint64_t)word, sizeof *word, ORDER_RELAXED, found, expected, pc);
    if (found != expected) {
        engine_note_inside(engine_inside() + 1);
        leave_kernel(word, EVENT_FUTEX_WAIT, pc);
        return fail_with(EAGAIN);
    }
    fall_asleep(word, pc);
    wanted[engine_current()] = bits;
    leave_kernel(word, EVENT_FUTEX_WAIT, pc);
    return sleep_wait_lightly(EVENT_FUTEX_WAIT, limit, pc) ? 0 : fail_with(ETIMEDOUT);
}

/* Those among the sleepers that listen to one of `bits`. */
static uint32_t list_sleepers(const uint32_t *word, uint32_t bits, uint32_t *list)
{
    uint32_t kept = 0, count = sleep_list(word, list);
    for (uint32_t k = 0; k < count; k++)
        if (wanted[list[k]] & bits)
            list[kept++] = list[k];
    return kept;
}

static uint32_t wake_in_graph(uint32_t *word, uint32_t most, uint32_t bits, const void *pc)
{
    uint32_t woken = 0;
    if (bits != FUTEX_BITSET_MATCH_ANY)
        engine_refuse_graph("a futex with bits", pc);
    enter_kernel(word, EVENT_FUTEX_WAKE, pc);
    if (most >= CLOCKS_THREADS_MAX)
        woken = sleep_wake_described(word, UINT32_MAX, EVENT_FUTEX_WAKE, pc);
    else
        while (woken < most && sleep_wake_described(word, 1, EVENT_FUTEX_WAKE, pc))
            woken++, engine_note_inside(engine_inside() + 1);
    leave_kernel(word, EVENT_FUTEX_WAKE, pc);
    return woken;
}

static long wake_futex(uint32_t *word, uint32_t most, uint32_t bits, const void *pc)
{
    uint32_t list[CLOCKS_THREADS_MAX], woken = 0;
    if (engine_graph_mode) {
        woken = wake_in_graph(word, most, bits, pc);
    } else {
        engine_step(EVENT_FUTEX_WAKE, (uint64_t)word, sizeof *word, pc);
        woken = sleep_wake_some(list, list_sleepers(word, bits, list), most);
    }
    engine_note(EVENT_FUTEX_WAKE, (uint64_t)word, sizeof *word, ORDER_RELAXED, 0, woken, pc);
    return woken;
}

/* Wakes some and lets others sleep at another word from now on; `expected` may be null. */
static long requeue_futex(const long *a, const uint32_t *expected, const void *pc)
{
    uint32_t list[CLOCKS_THREADS_MAX], *word = (uint32_t *)a[0];
    engine_refuse_graph("moving sleepers from futex to futex", pc);
    engine_step(EVENT_FUTEX_WAKE, (uint64_t)word, sizeof *word, pc);
    if (expected && *word != *expected)
        return fail_with(EAGAIN);
    uint32_t woken = sleep_wake_some(list, sleep_list(word, list), (uint32_t)a[2]);
    uint32_t count = sleep_list(word, list), moved = count < (uint32_t)a[3] ? count : (uint32_t)a[3];
    for (uint32_t k = 0; k < moved; k++)
        sleep_move(list[k], (const void *)a[4]);
    engine_note(EVENT_FUTEX_WAKE, (uint64_t)word, sizeof *word, ORDER_RELAXED, 0, woken, pc);
    return woken + moved;
}

/* A waiting time or, with FUTEX_WAIT_BITSET, a moment. */
static struct deadline read_limit(int operation, const struct timespec *t, struct timespec *moment)
{
    if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET)
        return (struct deadline){operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, t};
    clock_gettime(CLOCK_MONOTONIC, moment);
    moment->tv_sec += t->tv_sec;
    moment->tv_nsec += t->tv_nsec;
    if (moment->tv_nsec >= 1000000000) {
        moment->tv_sec++;
        moment->tv_nsec -= 1000000000;
    }
    return (struct deadline){CLOCK_MONOTONIC, moment};
}

static long call_futex(const long *a, const void *pc)
{
    uint32_t *word = (uint32_t *)a[0];
    int operation = (int)a[1];
    uint32_t value = (uint32_t)a[2];
    const struct timespec *t = (const struct timespec *)a[3];
    struct timespec moment;
    struct deadline limit;
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        if (t)
            limit = read_limit(operation, t, &moment);
        return wait_futex(
            word, value, (operation & FUTEX_CMD_MASK) == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : (uint32_t)a[5],
            t ? &limit : NULL, pc);
    case FUTEX_WAKE: return wake_futex(word, value, FUTEX_BITSET_MATCH_ANY, pc);
    case FUTEX_WAKE_BITSET: return wake_futex(word, value, (uint32_t)a[5], pc);
    case FUTEX_REQUEUE: return requeue_futex(a, NULL, pc);
    case FUTEX_CMP_REQUEUE: return requeue_futex(a, &(uint32_t){(uint32_t)a[5]}, pc);
    default: engine_give_up(pc, "futex operation %d", operation & FUTEX_CMD_MASK);
    }
}

/* What it was given is part of where its thread is. */
static long futex(const long *a, const void *pc)
{
    engine_note_inside(hash_combine((uint64_t)a[1], (uint64_t)a[2]));
    long answer = call_futex(a, pc);
    engine_note_inside(0);
    return answer;
}

/* These let others run and do nothing else. */
static bool is_pause(long number)
{
    switch (number) {
    case SYS_sched_yield:
    case SYS_nanosleep:
    case SYS_clock_nanosleep: return true;
    default: return false;
    }
}

static long replaced_call(long number, const long *a, const void *pc)
{
    if (!is_pause(number))
        engine_note_effect();
    switch (number) {
    case SYS_futex: return futex(a, pc);
    case SYS_exit: engine_exit_thread(NULL);
    case SYS_exit_group: ending_exit_at_once((int)a[0], pc);
    default: return system_call(number, a, pc);
    }
}

EXPORT long syscall(long number, ...)
{
    long a[SYSTEM_CALL_ARGUMENTS];
    va_list args;
    va_start(args, number);
    for (int k = 0; k < SYSTEM_CALL_ARGUMENTS; k++) /* no more than the kernel would read */
        a[k] = va_arg(args, long);
    va_end(args);
    if (engine_active && !snapshot_is_runtime_code(CALLER))
        return replaced_call(number, a, CALLER);
    return NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
