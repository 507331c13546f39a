/* SPDX-License-Identifier: Apache-2.0 */
/* What the system gives to programs, as far as files of the runtime need it from each other: time, files, random numbers,
 * memory. */
#ifndef RT_SYSTEM_PARTS_H
#define RT_SYSTEM_PARTS_H

#include "rt/hook.h"

#include <poll.h>
#include <sys/select.h>
#include <time.h>

/* --- time inside an execution: a function of what the threads did, not of the machine --------------- */

/* It is later than `until` now. */
void clock_pass(clockid_t clock, const struct timespec *until);

/* Executions begin at another time of day: what the program answers should be the same, unless it is about time. */
void clock_shift(bool on);

/* Who looked at a clock first; null: no thread ever did. */
struct clock_look {
    const char *function;
    const void *pc;
};
struct clock_look clock_first_look(void);

/* --- files ------------------------------------------------------------------------------------------ */

/* All threads run on one: a call that waits for a file would stop them all, so it ends the execution as not supported, and any
 * other is done. These are poll and select that look once; with `waits` it is not supported that nothing is ready. */
int blocking_poll(struct pollfd *files, nfds_t count, bool waits, const void *pc);
int blocking_select(int count, fd_set **sets, bool waits, const void *pc);

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
