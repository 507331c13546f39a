/* SPDX-License-Identifier: Apache-2.0 */
/* From an executable to a process in a group of its own: no standard input, output kept, no core file, and none of the tool's
 * descriptors but those it is given. */
#ifndef TARGET_LAUNCH_H
#define TARGET_LAUNCH_H

#include "base/text.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { LAUNCH_DESCRIPTOR = 3, LAUNCH_GIVEN_MAX = 2 };

struct launch {
    const char *path;
    const char *const *arguments; /* ended by null; or null */
    /* In the program these are LAUNCH_DESCRIPTOR and the numbers behind it; -1: not given */
    int given[LAUNCH_GIVEN_MAX];
    const char *variable; /* of the environment: its value is LAUNCH_DESCRIPTOR */
    bool same_addresses;  /* no address randomization, where the system allows that */
    bool first_to_go;     /* when the system has no memory left */
};

/* The process, and where its output comes from; or -1 with errno. The caller ends its group (target/leftovers.h) and closes the
 * descriptor, which does not block. */
pid_t launch_program(const struct launch *l, int *output);

/* A descriptor out of the way of the numbers that a program gets; -1 when that fails, or when it is -1. */
int launch_move_up(int descriptor);

/* Has it ended? Leaves it a zombie, so that its group's number stays ours until the group is killed. */
bool launch_has_ended(pid_t pid, siginfo_t *ended);

/* Seconds of processor time that it used; 0: not known. */
double launch_processor_seconds(pid_t pid);

/* --- what it printed --- */

struct launch_output {
    int descriptor;   /* -1: closed */
    struct text text; /* the last 64 KiB */
    uint64_t lost;    /* bytes before that */
};

/* Reads what is there, at most so much that the caller can go on. */
void launch_read_output(struct launch_output *o);
void launch_close(int *descriptor);

#endif
