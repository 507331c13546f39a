/* SPDX-License-Identifier: Apache-2.0 */
/* What the system gives to programs, as far as files of the runtime need it from each other: time, files, random numbers,
 * memory. */
#ifndef RT_SYSTEM_PARTS_H
#define RT_SYSTEM_PARTS_H

#include "rt/hook.h"

#include <time.h>

/* --- time inside an execution: a function of what the threads did, not of the machine --------------- */

/* It is later than `until` now. */
void clock_pass(clockid_t clock, const struct timespec *until);

/* The same, of CLOCK_MONOTONIC in nanoseconds. */
void clock_pass_to(int64_t until);
/* What of that has passed for the running thread, whatever others did: it slept or looked. What is decided by time goes by this, and is the
 * same in every order of steps that nothing orders. */
int64_t clock_own(void);
/* What a look would find, without one; and that it is later, as far as others look. */
int64_t clock_shared(void);
void clock_pass_shared(int64_t until);
int64_t clock_monotonic(clockid_t clock, const struct timespec *moment); /* a moment of another clock */
int clock_sleep(int64_t span, const void *pc);                           /* in nanoseconds */

/* Executions begin at another time of day: what the program answers should be the same, unless it is about time. */
void clock_shift(bool on);

/* Who looked at a clock first; null: no thread ever did. */
struct clock_look {
    const char *function;
    const void *pc;
};
struct clock_look clock_first_look(void);

/* --- random devices, whose numbers are the same in every execution ---------------------------------- */

/* Is it /dev/random or /dev/urandom? */
bool chance_is_device(int fd);
bool chance_is_name(const char *path);
/* Reads from it: what the running thread gets depends on nothing but itself. */
void chance_fill(void *to, size_t size, const void *pc);

/* The name to open instead of this one for a stream, which reads without asking us: that of a file with such numbers. */
const char *chance_stream_name(const char *path);

/* --- the program's heap, for the functions that give memory to the program -------------------------- */

/* Is what this caller allocates part of an execution? Else it belongs to the C library. */
bool memory_is_programs(const void *caller);

void *memory_allocate(size_t size, size_t alignment, const void *pc); /* null: there is none, with errno */

/* A program with a malloc of its own frees by its own free what it is given. Null: it has none. */
struct memory_own {
    void *(*malloc)(size_t size);
    void (*free)(void *p);
};
extern struct memory_own memory_own;
void memory_note_own(const char *name, uintptr_t function); /* the program defines a function of that name */
bool memory_free_own(void *p, const void *pc);              /* it is its own */
void memory_release(void *p, const void *pc);               /* heap_contains(p) */
void memory_release_other(void *p, const void *pc);         /* a block of the C library, or none at all */

#endif
