/* SPDX-License-Identifier: Apache-2.0 */
/* What must not outlive the tool: process groups and temporary folders. They are killed and removed when the tool
 * exits, and on SIGINT, SIGTERM and SIGHUP, which then take their usual effect. For one thread only. */
#ifndef TARGET_LEFTOVERS_H
#define TARGET_LEFTOVERS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* From here on these signals are caught, unless somebody else does; the functions below do it, too. */
void leftovers_begin(void);

/* All of that now, in a signal handler, too. */
void leftovers_clean_up(void);

/* After so many seconds (0: never) `end` is called, as a signal handler, which ends the process. Not in processes that are forked. */
void leftovers_alarm(double seconds, void (*end)(void));

/* A private folder below $TMPDIR, or null with errno. Freed by leftovers_remove_folder. */
char *leftovers_make_folder(void);
void leftovers_remove_folder(char *path);

/* fork(2) for a child that leads a session and process group of its own. In the child (0 is returned) signals are as they were
 * before any of this, and it dies with the tool. */
pid_t leftovers_fork(void);

/* Kills what is left of the group, and orphans that had left it, and waits until nothing of them remains. */
void leftovers_end_group(pid_t group);

#endif
