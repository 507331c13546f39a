/* SPDX-License-Identifier: Apache-2.0 */
/* The life of a program in the runtime: how it is taken over, and the edges of its executions and threads. */
#ifndef RT_START_H
#define RT_START_H

#include <stdbool.h>
#include <stdint.h>

extern bool start_is_worker;               /* started by plumb (PROTOCOL_VARIABLE is set) */
extern struct worker_shared *start_shared; /* then, or null */
extern bool start_has_begun;               /* the first execution is being prepared: constructors are done */

/* The program does before main what can be done in an execution only: ends the process, and the tool reports it. */
_Noreturn void start_refuse(const char *what, const void *pc);

/* Provided by src/worker: runs everything asked for and never returns. */
_Noreturn void worker_main(int (*program_main)(int, char **, char **), int argc, char **argv,
                           char **environment);

/* --- between the files of this folder --------------------------------------------------------------- */

/* `static void reset(void)` of a file, called before each execution. */
#define BEFORE_EACH_EXECUTION(reset)                                                                    \
    static void reset(void);                                                                            \
    static void (*const at_begin_##reset)(void) __attribute__((section("plumb_resets"), used)) = reset; \
    static void reset(void)

void ending_prepare(void); /* once */

/* A thread ends: destructors of its thread_local objects, then of its thread-specific values. */
void thread_exit_run_destructors(uint32_t thread);
void keys_run_destructors(uint32_t thread);

/* A thread starts with the mask of its creator. */
void signals_inherit(uint32_t thread);

/* What atexit and the like registered. */
void ending_run_last(void); /* handlers, by the thread that happens to end last */

/* The program has called abort. */
_Noreturn void ending_abort(const void *pc);

/* --- for the worker --------------------------------------------------------------------------------- */

void threads_reset(void);          /* before each execution: all state of the runtime */
void threads_begin(void);          /* in each thread, before it runs program code */
void threads_end(uint32_t thread); /* in each thread, before it ends */

/* Threads that the runtime itself starts for the program: their events have no place in it.
 * `alike`: the same for threads that do the same; 0: it is like no other. */
uint32_t threads_create(void *(*entry)(void *), void *argument, uint64_t alike);
void threads_join(uint32_t thread);

/* main returned, or exit was called: runs what was registered and ends the execution. */
_Noreturn void ending_exit(int status, const void *pc);
_Noreturn void ending_exit_at_once(int status, const void *pc); /* without handlers */

/* In a test only the harness ends the execution: `pc` is not null where something else does. */
extern bool ending_in_test;

#endif
