/* SPDX-License-Identifier: Apache-2.0 */
/* Mutexes and condition variables. */
#include "prove/prove.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

/* --- mutexes -------------------------------------------------------------------------------------------------------- */

/* A mutex is kept in the program's own object: who has it, as an address, so that it is renamed with the thread; and how often. */
struct mutex {
    uint32_t unused[4];
    int32_t kind;
    uint32_t count;
    uint64_t owner;
};
_Static_assert(sizeof(struct mutex) <= sizeof(pthread_mutex_t), "it has to fit");
_Static_assert(offsetof(struct mutex, kind) == 16, "where static initialisers have it");

static uint64_t name_of(unsigned thread)
{
    return prove_stack_base(thread) + PROVE_LINE;
}

static bool is_locked(const struct mutex *m)
{
    return m->owner != 0;
}

static bool enters_again(const struct mutex *m, unsigned thread)
{
    return m->kind == PTHREAD_MUTEX_RECURSIVE && m->owner == name_of(thread);
}

/* `busy`: what a try answers that fails; 0: it is none. */
static enum prove_outcome perform_lock(unsigned thread, struct mutex *m, uint64_t busy, uint64_t *rax)
{
    bool tries = busy != 0;
    if (is_locked(m) && !enters_again(m, thread)) {
        bool is_error = m->kind == PTHREAD_MUTEX_ERRORCHECK && m->owner == name_of(thread);
        *rax = tries ? busy : EDEADLK;
        return tries || is_error ? PROVE_FINE : PROVE_BLOCKED;
    }
    m->owner = name_of(thread);
    m->count++;
    return PROVE_FINE;
}

static enum prove_outcome perform_unlock(unsigned thread, struct mutex *m, uint64_t *rax)
{
    if (m->owner != name_of(thread) && m->kind != PTHREAD_MUTEX_NORMAL &&
        m->kind != PTHREAD_MUTEX_ADAPTIVE_NP) {
        *rax = EPERM;
        return PROVE_FINE;
    }
    if (m->owner != name_of(thread))
        return prove_note(PROVE_FAULT, "a mutex is unlocked that the thread does not have");
    if (--m->count == 0)
        m->owner = 0;
    return PROVE_FINE;
}

enum prove_outcome prove_perform_mutex(unsigned thread, uint64_t *rax)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    struct mutex *m = (struct mutex *)r->arguments[0];
    unsigned kind = prove_kind(r->hook);
    if (kind == PROVE_LOCK_INIT) {
        if (r->arguments[1])
            return prove_note(PROVE_UNSURE, "a mutex with attributes");
        memset(m, 0, sizeof(pthread_mutex_t));
        prove_note_write(r->arguments[0], sizeof(pthread_mutex_t));
        return PROVE_FINE;
    }
    if (!prove_is_initialised(r->arguments[0], sizeof *m))
        return prove_note(PROVE_UNSURE, "a mutex was never initialised");
    if (kind == PROVE_LOCK_DESTROY)
        return is_locked(m) ? prove_note(PROVE_FAULT, "a mutex is destroyed that is locked") : PROVE_FINE;
    prove_note_write(r->arguments[0], sizeof *m);
    if (m->kind < PTHREAD_MUTEX_NORMAL || m->kind > PTHREAD_MUTEX_ADAPTIVE_NP)
        return prove_note(PROVE_UNSURE, "a mutex with attributes");
    return kind == PROVE_UNLOCK ? perform_unlock(thread, m, rax)
                                : perform_lock(thread, m,
                                               kind != PROVE_TRYLOCK ? 0
                                               : r->hook & 7         ? ETIMEDOUT
                                                                     : EBUSY,
                                               rax);
}

/* --- condition variables -------------------------------------------------------------------------------------------- */

/* A condition variable holds nothing: who waits for it are the threads that are about to go on waiting (COND_WAITING). One that was woken, by a signal or for
 * no reason, has to have the mutex before it goes on (COND_WOKEN). */

bool prove_is_about_condition(unsigned kind)
{
    return kind >= PROVE_COND_WAIT && kind <= PROVE_COND_WOKEN;
}

static bool waits_for(unsigned thread, uint64_t condition)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    return prove.state.threads[thread].is_open && prove_kind(r->hook) == PROVE_COND_WAITING &&
           r->arguments[0] == condition;
}

static void wake(unsigned thread)
{
    struct prove_registers *r = &prove.state.threads[thread].registers;
    r->hook = PROVE_ID(PROVE_COND_WOKEN, 0);
}

/* Its time is over, or, if it has no limit or prove.wakes says so, it is woken for no reason. */
static void end_waiting(unsigned thread)
{
    struct prove_registers *r = &prove.state.threads[thread].registers;
    r->hook = PROVE_ID(PROVE_COND_WOKEN, r->hook & 7 && prove.wakes != thread);
}

bool prove_is_waiting(unsigned thread)
{
    return prove.state.threads[thread].registers.hook == PROVE_ID(PROVE_COND_WAITING, 0);
}

unsigned prove_waiters(unsigned thread, uint32_t *list)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned count = 0;
    if (r->hook == PROVE_ID(PROVE_COND_WAITING, 1)) {
        list[0] = PROVE_THREADS_MAX;
        list[1] = thread;
        return 2;
    }
    for (unsigned t = 0; t < prove.threads && prove_kind(r->hook) == PROVE_COND_SIGNAL; t++)
        if (waits_for(t, r->arguments[0]))
            list[count++] = t;
    return count;
}

static bool has_other_mutex(uint64_t condition, uint64_t mutex)
{
    for (unsigned t = 0; t < prove.threads; t++)
        if (waits_for(t, condition) && prove.state.threads[t].registers.arguments[1] != mutex)
            return true;
    return false;
}

/* The mutex is given back and the wait begins, in one step. */
static enum prove_outcome begin_wait(unsigned thread)
{
    struct prove_registers *r = &prove.state.threads[thread].registers;
    struct mutex *m = (struct mutex *)r->arguments[1];
    enum prove_where where = prove_find(thread, r->arguments[1], sizeof *m, true);
    if (where > PROVE_SHARED)
        return where == PROVE_BAD ? PROVE_FAULT : PROVE_UNSURE;
    if (!prove_is_initialised(r->arguments[1], sizeof *m))
        return prove_note(PROVE_UNSURE, "a mutex was never initialised");
    if (m->owner != name_of(thread))
        return prove_note(PROVE_FAULT,
                          "a wait for a condition variable with a mutex that the thread does not have");
    if (m->count != 1)
        return prove_note(PROVE_UNSURE,
                          "a wait for a condition variable with a mutex that is locked several times");
    if (has_other_mutex(r->arguments[0], r->arguments[1]))
        return prove_note(PROVE_FAULT, "threads wait for a condition variable with different mutexes");
    m->count = 0;
    m->owner = 0;
    prove_note_write(r->arguments[1], sizeof *m);
    r->hook = (uint64_t)PROVE_ID(PROVE_COND_WAITING, r->hook & 7);
    return PROVE_PARTLY;
}

/* std::condition_variable::wait(std::unique_lock &), whose first member is the address of the mutex. */
static enum prove_outcome begin_wait_of_cxx(unsigned thread)
{
    struct prove_registers *r = &prove.state.threads[thread].registers;
    if (prove_find(thread, r->arguments[1], PROVE_WORD, false) != PROVE_OWN)
        return prove_note(PROVE_UNSURE, "a wait for a condition variable with a lock that threads share");
    memcpy(&r->arguments[1], (void *)r->arguments[1], sizeof r->arguments[1]);
    return begin_wait(thread);
}

static void wake_all(uint64_t condition)
{
    for (unsigned t = 0; t < prove.threads; t++)
        if (waits_for(t, condition))
            wake(t);
}

static enum prove_outcome destroy_condition(uint64_t condition)
{
    for (unsigned t = 0; t < prove.threads; t++)
        if (waits_for(t, condition))
            return prove_note(PROVE_FAULT, "a condition variable is destroyed that a thread waits for");
    return PROVE_FINE;
}

static enum prove_outcome begin_condition(const struct prove_registers *r)
{
    if (!(r->hook & 7) && r->arguments[1])
        return prove_note(PROVE_UNSURE, "a condition variable with attributes");
    memset((void *)r->arguments[0], 0, sizeof(pthread_cond_t));
    prove_note_write(r->arguments[0], sizeof(pthread_cond_t));
    return PROVE_FINE;
}

static enum prove_outcome end_wait(unsigned thread, uint64_t *rax)
{
    uint64_t answer;
    struct mutex *m = (struct mutex *)prove.state.threads[thread].registers.arguments[1];
    enum prove_where where = prove_find(thread, (uint64_t)m, sizeof *m, true);
    if (where > PROVE_SHARED)
        return where == PROVE_BAD ? PROVE_FAULT : PROVE_UNSURE;
    prove_note_write((uint64_t)m, sizeof *m);
    *rax = prove.state.threads[thread].registers.hook & 7 ? ETIMEDOUT : 0;
    return perform_lock(thread, m, 0, &answer);
}

enum prove_outcome prove_perform_clock(unsigned thread)
{
    uint64_t at = prove.state.threads[thread].registers.arguments[1];
    struct timespec now = {0};
    if (prove_find(thread, at, sizeof now, true) != PROVE_OWN)
        return prove_note(PROVE_UNSURE, "the time is written where threads share memory");
    prove.shared->asked_time = true;
    memcpy((void *)at, &now, sizeof now);
    prove_note_write(at, sizeof now);
    return PROVE_FINE;
}

enum prove_outcome prove_perform_condition(unsigned thread, uint64_t *rax)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook);
    if (kind == PROVE_COND_INIT)
        return begin_condition(r);
    if (!prove_is_initialised(r->arguments[0], sizeof(pthread_cond_t)))
        return prove_note(PROVE_UNSURE, "a condition variable was never initialised");
    switch (kind) {
    case PROVE_COND_WAIT: return begin_wait(thread);
    case PROVE_COND_WAIT_CXX: return begin_wait_of_cxx(thread);
    case PROVE_COND_DESTROY: return destroy_condition(r->arguments[0]);
    case PROVE_COND_WAITING: end_waiting(thread); return PROVE_PARTLY;
    case PROVE_COND_WOKEN: return end_wait(thread, rax);
    case PROVE_COND_BROADCAST: wake_all(r->arguments[0]); return PROVE_FINE;
    default: break;
    }
    if (prove.wakes < prove.threads && waits_for(prove.wakes, r->arguments[0]))
        wake(prove.wakes);
    return PROVE_FINE;
}

/* --- who cannot go on ------------------------------------------------------------------------------------------------ */

static bool is_locked_by_other(unsigned thread, const struct mutex *m)
{
    return prove_find(thread, (uint64_t)m, sizeof *m, true) <= PROVE_SHARED && is_locked(m) &&
           !(m->kind != PTHREAD_MUTEX_NORMAL && m->kind != PTHREAD_MUTEX_ADAPTIVE_NP &&
             m->owner == name_of(thread));
}

bool prove_is_blocked(unsigned thread)
{
    const struct prove_registers *r = &prove.state.threads[thread].registers;
    unsigned kind = prove_kind(r->hook);
    if (kind == PROVE_LOCK)
        return is_locked_by_other(thread, (const struct mutex *)r->arguments[0]);
    if (kind == PROVE_COND_WOKEN)
        return is_locked_by_other(thread, (const struct mutex *)r->arguments[1]);
    return prove_is_waiting(thread);
}
