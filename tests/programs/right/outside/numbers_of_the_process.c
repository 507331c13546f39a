/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: own numbers mean the process, others nothing; none comes to the system as it is */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    pid_t me = getpid();
    cpu_set_t set;
    char path[64];
    struct sched_param p;
    struct rlimit l;
    assert(kill(me, 0) == 0 && tgkill(me, gettid(), 0) == 0);
    assert(sched_getaffinity(me, sizeof set, &set) == 0 &&
           sched_getaffinity(gettid(), sizeof set, &set) == 0);
    assert(sched_getaffinity(12345, sizeof set, &set) == -1 && errno == ESRCH);
    assert(sched_getparam(me, &p) == 0 && sched_getscheduler(me) == SCHED_OTHER);
    assert(getpgid(me) == getpgrp() && getsid(0) >= 0 && getpgid(77) == -1);
    assert(prlimit(me, RLIMIT_NOFILE, 0, &l) == 0 && prlimit(1, RLIMIT_NOFILE, 0, &l) == -1);
    assert(waitpid(-1, 0, WNOHANG) == -1 && errno == ECHILD);
    assert(getpriority(PRIO_PROCESS, me) == 0 && getpriority(PRIO_PROCESS, 1) == -1);
    snprintf(path, sizeof path, "/proc/%d/status", me);
    FILE *f = fopen(path, "r");
    assert(f);
    fclose(f);
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", gettid());
    int fd = open(path, O_RDONLY);
    assert(fd >= 0);
    close(fd);
    assert(syscall(SYS_getpgid, me) == me && syscall(SYS_sched_getaffinity, me, sizeof set, &set) == 8);
    assert(syscall(SYS_kill, me, 0) == 0 && syscall(SYS_tkill, me, 0) == 0);
}
