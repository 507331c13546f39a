/* SPDX-License-Identifier: Apache-2.0 */
#include "rt/system/identity.h"

#include "engine/memory/snapshot.h"
#include "rt/hook.h"
#include "rt/start.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool identity_is_process(pid_t number)
{
    return number == 0 || number == IDENTITY_PROCESS;
}

bool identity_is_thread(pid_t number)
{
    uint32_t thread = (uint32_t)(number - IDENTITY_PROCESS);
    void *from;
    size_t size;
    return number == 0 || (thread < CLOCKS_THREADS_MAX && engine_find_stack(thread, &from, &size));
}

pid_t identity_of_system(pid_t number)
{
    enum { NOBODY = INT32_MAX };
    return identity_is_thread(number) ? (pid_t)NEXT(syscall)(SYS_getpid) : NOBODY;
}

static int fail_with(int error)
{
    errno = error;
    return -1;
}

/* ------------------------------------------------------------------ below /proc */

/* The number at the beginning, if it is a thread's; *rest is what follows. */
static bool begins_with_number(const char *text, const char **rest)
{
    char *end;
    long number = strtol(text, &end, 10);
    *rest = end;
    return end > text && (*end == '/' || !*end) && number >= IDENTITY_PROCESS &&
           identity_is_thread((pid_t)number);
}

const char *identity_path(const char *path, char room[static IDENTITY_PATH])
{
    static const char tasks[] = "/task/";
    const char *rest, *last;
    if (!engine_active || !path || strncmp(path, "/proc/", 6) != 0)
        return path;
    bool is_own = begins_with_number(path + 6, &rest);
    if (!is_own && strncmp(path + 6, "self/", 5) == 0)
        rest = path + 6 + 4;
    else if (!is_own)
        return path;
    bool is_task =
        strncmp(rest, tasks, sizeof tasks - 1) == 0 && begins_with_number(rest + sizeof tasks - 1, &last);
    int size = is_task ? snprintf(room, IDENTITY_PATH, "/proc/thread-self%s", last)
                       : snprintf(room, IDENTITY_PATH, "/proc/self%s", rest);
    return size < IDENTITY_PATH ? room : path;
}

/* ------------------------------------------------------------------ the process */

static pid_t answer(const char *function, pid_t number, const void *pc)
{
    engine_note_answer(function, pc);
    return number;
}

REPLACE(pid_t, getpid, (), answer("getpid", IDENTITY_PROCESS, CALLER), void)
REPLACE(pid_t, getppid, (), answer("getppid", IDENTITY_PROCESS - 1, CALLER), void)
REPLACE(pid_t, getpgrp, (), answer("getpgrp", IDENTITY_PROCESS, CALLER), void)
REPLACE_BY(pid_t, gettid, (), void)
{
    engine_distinguish_threads();
    return answer("gettid", IDENTITY_PROCESS + (pid_t)engine_current(), CALLER);
}

static pid_t find_group(pid_t number)
{
    return identity_is_process(number) ? IDENTITY_PROCESS : fail_with(ESRCH);
}

REPLACE(pid_t, getpgid, (number), find_group(number), pid_t number)
REPLACE(pid_t, getsid, (number), find_group(number), pid_t number)
REPLACE(pid_t, setsid, (), fail_with(EPERM), void) /* it leads its group already */
REPLACE(int, setpgrp, (), 0, void)
REPLACE_BY(int, setpgid, (number, group), pid_t number, pid_t group)
{
    if (!identity_is_process(number))
        return fail_with(ESRCH);
    return identity_is_process(group) ? 0 : fail_with(EPERM);
}

/* There are no other processes, so none to wait for. */
REPLACE(pid_t, wait, (status), fail_with(ECHILD), int *status)
REPLACE(pid_t, waitpid, (number, status, flags), fail_with(ECHILD), pid_t number, int *status, int flags)
REPLACE(pid_t, wait3, (status, flags, usage), fail_with(ECHILD), int *status, int flags, struct rusage *usage)
REPLACE(pid_t, wait4, (number, status, flags, usage), fail_with(ECHILD), pid_t number, int *status, int flags,
        struct rusage *usage)
REPLACE(int, waitid, (type, number, info, flags), fail_with(ECHILD), idtype_t type, id_t number,
        siginfo_t *info, int flags)

/* ------------------------------------------------------------------ signals */

static int send_signal(bool is_own, int number, const char *what, const void *pc)
{
    if (!is_own)
        engine_give_up(pc, "%s", what);
    return number ? raise(number) : 0;
}

REPLACE(int, kill, (pid, number),
        send_signal(identity_is_process(pid) || pid == -IDENTITY_PROCESS, number, "kill of another process",
                    CALLER),
        pid_t pid, int number)
REPLACE(int, killpg, (group, number),
        send_signal(identity_is_process(group), number, "kill of another process", CALLER), pid_t group,
        int number)
REPLACE(int, tgkill, (process, thread, number),
        send_signal(process == IDENTITY_PROCESS && thread == IDENTITY_PROCESS + (pid_t)engine_current(),
                    number, "tgkill of another thread", CALLER),
        pid_t process, pid_t thread, int number)
REFUSE(int, sigqueue, (pid, number, value), "sigqueue", pid_t pid, int number, const union sigval value)
REFUSE(int, pthread_sigqueue, (thread, number, value), "pthread_sigqueue", pthread_t thread, int number,
       const union sigval value)

/* ------------------------------------------------------------------ scheduling */

/* Threads run on one processor, by the rule that all have. */
static int answer_about(pid_t number, bool is_fine)
{
    return !identity_is_thread(number) ? fail_with(ESRCH) : is_fine ? 0 : fail_with(EINVAL);
}

REPLACE(int, sched_getcpu, (), answer("sched_getcpu", 0, CALLER), void)
REPLACE_BY(int, getcpu, (processor, node), unsigned *processor, unsigned *node)
{
    if (processor)
        *processor = 0;
    if (node)
        *node = 0;
    return answer("getcpu", 0, CALLER);
}
REPLACE_BY(int, sched_getaffinity, (number, size, set), pid_t number, size_t size, cpu_set_t *set)
{
    int error = answer_about(number, size >= sizeof(long));
    if (!error) {
        CPU_ZERO_S(size, set);
        CPU_SET_S(0, size, set);
    }
    return error;
}
REPLACE(int, sched_setaffinity, (number, size, set), answer_about(number, size &&CPU_ISSET_S(0, size, set)),
        pid_t number, size_t size, const cpu_set_t *set)
REPLACE(int, sched_getscheduler, (number), answer_about(number, true), pid_t number)
REPLACE(int, sched_setscheduler, (number, policy, p), answer_about(number, true), pid_t number, int policy,
        const struct sched_param *p)
REPLACE(int, sched_setparam, (number, p), answer_about(number, true), pid_t number,
        const struct sched_param *p)
REPLACE_BY(int, sched_getparam, (number, p), pid_t number, struct sched_param *p)
{
    int error = answer_about(number, true);
    if (!error)
        *p = (struct sched_param){0};
    return error;
}
REPLACE_BY(int, sched_rr_get_interval, (number, span), pid_t number, struct timespec *span)
{
    int error = answer_about(number, true);
    if (!error)
        *span = (struct timespec){0, 100000000};
    return error;
}

/* To Linux priorities are those of threads. */
static int priorities[CLOCKS_THREADS_MAX];
static bool any_priority; /* was set in this execution */

BEFORE_EACH_EXECUTION(identity_reset)
{
    if (any_priority)
        real.memset(priorities, 0, sizeof priorities);
    any_priority = false;
}

/* The thread that is meant; CLOCKS_THREADS_MAX: all, or -1 with errno. */
static int find_threads(int which, id_t number)
{
    if (which == PRIO_PROCESS && identity_is_thread((pid_t)number))
        return number ? (int)number - IDENTITY_PROCESS : (int)engine_current();
    if (which == PRIO_PGRP && identity_is_process((pid_t)number))
        return CLOCKS_THREADS_MAX;
    if (which == PRIO_USER && (number == 0 || number == getuid()))
        return CLOCKS_THREADS_MAX;
    return fail_with(which == PRIO_PROCESS || which == PRIO_PGRP || which == PRIO_USER ? ESRCH : EINVAL);
}

REPLACE_BY(int, getpriority, (which, number), __priority_which_t which, id_t number)
{
    int thread = find_threads((int)which, number), least = INT32_MAX;
    if (thread < 0)
        return -1;
    errno = 0;
    if (thread < CLOCKS_THREADS_MAX)
        return priorities[thread];
    for (int t = 0; t < CLOCKS_THREADS_MAX; t++)
        least = priorities[t] < least ? priorities[t] : least;
    return least;
}

REPLACE_BY(int, setpriority, (which, number, value), __priority_which_t which, id_t number, int value)
{
    int thread = find_threads((int)which, number);
    if (thread < 0)
        return -1;
    any_priority = true;
    value = value < -20 ? -20 : value > 19 ? 19 : value;
    for (int t = 0; t < CLOCKS_THREADS_MAX; t++)
        if (t == thread || thread == CLOCKS_THREADS_MAX)
            priorities[t] = value;
    return 0;
}

REPLACE_BY(int, nice, (more), int more)
{
    setpriority(PRIO_PROCESS, 0, priorities[engine_current()] + more);
    errno = 0;
    return priorities[engine_current()];
}

/* ------------------------------------------------------------------ that the system is asked about */

REPLACE(int, prlimit, (number, what, limit, old), NEXT(prlimit)(identity_of_system(number), what, limit, old),
        pid_t number, __rlimit_resource_t what, const struct rlimit *limit, struct rlimit *old)
REPLACE(int, prlimit64, (number, what, limit, old),
        NEXT(prlimit64)(identity_of_system(number), what, limit, old), pid_t number, __rlimit_resource_t what,
        const struct rlimit64 *limit, struct rlimit64 *old)
/* There is no other process: both sides are memory of this one. */
static bool has_memory(pid_t number)
{
    return number && (identity_is_process(number) || identity_is_thread(number));
}

static void announce_parts(const struct iovec *parts, unsigned long count, bool writes, const void *pc)
{
    engine_plain((uint64_t)parts, count * sizeof *parts, false, pc);
    for (unsigned long k = 0; k < count; k++)
        engine_plain((uint64_t)parts[k].iov_base, parts[k].iov_len, writes, pc);
}

REPLACE_BY(ssize_t, process_vm_readv, (number, local, locals, remote, remotes, flags), pid_t number,
           const struct iovec *local, unsigned long locals, const struct iovec *remote, unsigned long remotes,
           unsigned long flags)
{
    if (!has_memory(number))
        return fail_with(ESRCH);
    announce_parts(remote, remotes, false, CALLER);
    announce_parts(local, locals, true, CALLER);
    return NEXT(process_vm_readv)(identity_of_system(number), local, locals, remote, remotes, flags);
}

REPLACE_BY(ssize_t, process_vm_writev, (number, local, locals, remote, remotes, flags), pid_t number,
           const struct iovec *local, unsigned long locals, const struct iovec *remote, unsigned long remotes,
           unsigned long flags)
{
    if (!has_memory(number))
        return fail_with(ESRCH);
    announce_parts(local, locals, false, CALLER);
    announce_parts(remote, remotes, true, CALLER);
    return NEXT(process_vm_writev)(identity_of_system(number), local, locals, remote, remotes, flags);
}

REPLACE_BY(int, clock_getcpuclockid, (number, clock), pid_t number, clockid_t *clock)
{
    if (!identity_is_process(number))
        return ESRCH;
    *clock = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

int pidfd_send_signal(int fd, int number, siginfo_t *info, unsigned flags);
REPLACE(int, pidfd_open, (number, flags),
        (int)NEXT(syscall)(SYS_pidfd_open, (long)identity_of_system(number), (long)flags), pid_t number,
        unsigned flags)
REFUSE(int, pidfd_send_signal, (fd, number, info, flags), "pidfd_send_signal", int fd, int number,
       siginfo_t *info, unsigned flags)

EXPORT long ptrace(enum __ptrace_request request, ...)
{
    if (engine_active)
        engine_give_up(CALLER, "ptrace");
    va_list rest;
    va_start(rest, request);
    pid_t pid = va_arg(rest, pid_t);
    void *address = va_arg(rest, void *), *data = va_arg(rest, void *);
    va_end(rest);
    return NEXT(ptrace)(request, pid, address, data);
}
