/* SPDX-License-Identifier: Apache-2.0 */
/* The lock objects of POSIX, as C11 and C++ use them too. Their state lives in the program's own objects,
 * where static initialisers put it and where it is reset with the rest of its memory; happens-before is
 * kept by address. */
#ifndef RT_LOCKS_H
#define RT_LOCKS_H

#include "rt/hook.h"

#include <pthread.h>
#include <time.h>

/* --- lives ------------------------------------------------------------------------------------------ */

/* The lives of synchronization objects. Each has a word of its own, in the program's object, that says whether it was
 * initialised by a call or destroyed; static initialisers leave 0 there, and malloc what it fills blocks with. */
enum object_mark {
    OBJECT_STATIC = 0,
    OBJECT_LIVE = 0x11fe11fe,
    OBJECT_UNTIMED = 0x11fe11ff, /* the same, of C11: a mutex that is not to be waited for with a limit */
    OBJECT_DESTROYED = 0x0dead5e3,
};
#define OBJECT_NEVER (UINT32_C(0x01010101) * HEAP_FILLING)

struct object {
    void *at;
    size_t size;
    uint32_t mark;
    const char *what; /* "mutex" */
};

/* Before each use: fails when there is no such object (any more). */
void object_check(struct object o, const void *pc);
/* The same for those that have no static initialisers. Constructors may have initialised it by object_note_early. */
void object_check_begun(struct object o, const void *pc);
void object_note_early(const void *at);

/* It is initialised now: fails when it is already, or another thread may use it. */
void object_begin(struct object o, const void *pc);

/* It is destroyed: fails when another thread has used it and nothing orders that before. */
void object_end(struct object o, const void *pc);

/* --- locks that are held ---------------------------------------------------------------------------- */

/* Their memory must not go away meanwhile. The current thread takes one, or gives one back: once for each time. */
void object_hold(struct object o);
void object_drop(const void *at);
bool object_is_held(const void *at); /* by the current thread */
void object_forget_holders(const void *at);

/* Fails when a lock that is held has some of these bytes: "the mutex HOW while T1 holds it". */
extern size_t objects_held;
void objects_fail_held(uint64_t from, uint64_t to, const char *how, const void *pc);
static inline void objects_check_held(uint64_t from, uint64_t to, const char *how, const void *pc)
{
    if (__builtin_expect(objects_held, 0))
        objects_fail_held(from, to, how, pc);
}

/* --- mutexes and condition variables ---------------------------------------------------------------- */

struct mutex {
    uint32_t owner; /* thread + 1; 0: free */
    uint32_t depth;
    uint32_t stamp; /* hook_stamp, or: no thread holds it */
    uint32_t mark;  /* enum object_mark */
    int kind;       /* where glibc has it: static initialisers of all kinds work */
};

_Static_assert(sizeof(struct mutex) <= sizeof(pthread_mutex_t), "fits");

/* Until when to wait; a null pointer stands forever. */
struct deadline {
    clockid_t clock;
    const struct timespec *until;
};

static inline uint32_t locks_me(void)
{
    return engine_current() + 1;
}

/* engine_wait with an optional limit; false when it expired, and then it is that late. */
bool locks_wait(enum event_kind kind, const void *object, bool (*ready)(void *), void *ready_object,
                const struct deadline *limit, const void *pc);

/* These return what the functions of POSIX return. */
int mutex_init(struct mutex *m, int kind, enum object_mark mark, const void *pc);
int mutex_lock(struct mutex *m, const struct deadline *limit, const void *pc);
int mutex_trylock(struct mutex *m, const void *pc);
int mutex_unlock(struct mutex *m, const void *pc);
int mutex_destroy(struct mutex *m, const void *pc);

/* All that POSIX and C11 know of a condition variable: 0 is what static initialisers leave. */
struct condition {
    clockid_t clock; /* 0: CLOCK_REALTIME */
    uint32_t mark;   /* enum object_mark */
};
void condition_init(void *condition, clockid_t clock, const void *pc);
int condition_wait(void *condition, struct mutex *m, const struct deadline *limit, const void *pc);
/* The same for waits that do not end spuriously. */
int condition_wait_firmly(void *condition, struct mutex *m, const struct deadline *limit, const void *pc);
int condition_wake(void *condition, bool all, const void *pc);
int condition_destroy(void *condition, const void *pc);

/* --- threads that sleep until another one names them ------------------------------------------------ */

void sleep_begin(const void *object);
/* False: the limit expired. Ends the sleep in both cases. */
bool sleep_wait(enum event_kind kind, const struct deadline *limit, const void *pc);
/* The same for a sleep that may end for no reason. */
bool sleep_wait_lightly(enum event_kind kind, const struct deadline *limit, const void *pc);
uint32_t sleep_list(const void *object, uint32_t *threads); /* who sleeps there; at most CLOCKS_THREADS_MAX */
void sleep_wake(uint32_t thread);
void sleep_move(uint32_t thread, const void *object);
/* Wakes up to `most`: which ones is a choice of the program. The number woken. */
uint32_t sleep_wake_some(uint32_t *threads, uint32_t count, uint32_t most);
/* A step that wakes one of those that sleep there, or all of them (`most`: 1, or UINT32_MAX). */
uint32_t sleep_wake_described(const void *object, uint32_t most, enum event_kind kind, const void *pc);

#endif
