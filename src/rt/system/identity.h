/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of the program under test: of its process and its threads. They are the same in every execution, and larger than all that
 * Linux gives out, so that one that comes to the system by another way than the functions here is nobody's. */
#ifndef RT_IDENTITY_H
#define RT_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { IDENTITY_PROCESS = (1 << 22) + 1000 }; /* PID_MAX_LIMIT is 1 << 22 */

bool identity_is_process(pid_t number); /* 0 or the program's own */
bool identity_is_thread(pid_t number);  /* 0 or that of a thread of the execution */

/* What the system calls the process: for a function that is given `number`; one that no process has if that is not ours. */
pid_t identity_of_system(pid_t number);

int pidfd_open(pid_t number, unsigned flags); /* not in all headers */

/* The path to open instead of one below /proc that has such a number in it. */
enum { IDENTITY_PATH = 256 };
const char *identity_path(const char *path, char room[static IDENTITY_PATH]);

#endif
