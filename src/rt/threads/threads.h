/* SPDX-License-Identifier: Apache-2.0 */
/* Threads of the program, for the worker. */
#ifndef RT_THREADS_H
#define RT_THREADS_H

#include <stdbool.h>
#include <stdint.h>

void threads_reset(void);          /* before each execution: all state of the runtime */
void threads_begin(void);          /* in each thread, before it runs program code */
void threads_end(uint32_t thread); /* in each thread, before it ends */
void locks_reset(void);            /* before each execution */

/* Threads that the runtime itself starts for the program: their events have no place in it. */
/* `alike`: the same for threads that do the same; 0: it is like no other. */
uint32_t threads_create(void *(*entry)(void *), void *argument, uint64_t alike);
void threads_join(uint32_t thread);

/* main returned, or exit was called: runs what was registered and ends the execution. */
_Noreturn void ending_exit(int status, const void *pc);
_Noreturn void ending_exit_at_once(int status, const void *pc); /* without handlers */

/* In a test only the harness ends the execution: `pc` is not null where something else does. */
extern bool ending_in_test;

#endif
