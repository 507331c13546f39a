/* SPDX-License-Identifier: Apache-2.0 */
/* How the runtime takes over a program. */
#ifndef RT_START_H
#define RT_START_H

#include <stdbool.h>

extern bool start_is_worker; /* started by plumb (PROTOCOL_VARIABLE is set) */
extern bool start_has_begun; /* the first execution is being prepared: constructors are done */

/* The program does before main what can be done in an execution only: ends the process, and the tool reports it. */
_Noreturn void start_refuse(const char *what, const void *pc);

/* Provided by src/worker: runs everything asked for and never returns. */
_Noreturn void worker_main(int (*program_main)(int, char **, char **), int argc, char **argv,
                           char **environment);

#endif
