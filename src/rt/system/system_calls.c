/* SPDX-License-Identifier: Apache-2.0 */
/* System calls by number, syscall(): done by the function of the same name where the runtime has one, else by the system, with what
 * the table of functions knows of the accesses. What has no line there is named in the verdict. */
#include "rt/system/system_calls.h"

#include "base/memory.h"
#include "engine/code/imports.h"
#include "engine/memory/snapshot.h"
#include "graph/model.h"
#include "rt/hook.h"
#include "rt/library/library.h"
#include "rt/start.h"
#include "rt/system/identity.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------ what is known of it */

enum { NUMBERS = 512 };

static struct known {
    struct import_call
        call; /* `row`: of the function that does the same, if the runtime does not replace it */
    bool is_known;
    char number[24];
} all[NUMBERS];

static const char *name_of(long number)
{
    static const char *const names[NUMBERS] = {
#define N(name) [SYS_##name] = #name,
#include "rt/system/system_calls.def"
#undef N
    };
    return number >= 0 && number < NUMBERS ? names[number] : NULL;
}

/* What the system does in another way than the function of that name, or what has no function. */
static const struct library_line *find_own_line(const char *name)
{
    static const struct library_line lines[] = {
        {"newfstatat", "u=names r2:s w3:{stat}?0", false},
        {"getcwd", "u=names w1:R?+", false},
        {"syslog", "w2:R?+", false},
        {"signalfd", "r2:@3", false},
        {"signalfd4", "r2:@3", false},
        {"inotify_add_watch", "u=names r2:s", false},
        {"inotify_rm_watch", "", false},
        {"faccessat2", "u=names r2:s", false},
        {"fadvise64", "", false},
        {"getdents", "D1 w2:R", false},
        {"get_robust_list", "w2:8 w3:8", false},
        {"kcmp", "", false},
        {"rt_sigaction", "w3:32", false},
        {"rt_sigpending", "w1:@2", false},
        {"rt_sigprocmask", "r2:@4 w3:@4", false},
        {"sched_getattr", "w2:@3?0", false},
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        if (strcmp(lines[k].name, name) == 0)
            return &lines[k];
    return NULL;
}

/* The system takes the arguments of all others as the functions do. */
static const struct library_row *find_row(const char *name)
{
    struct library_row row;
    const char *function = strcmp(name, "eventfd2") == 0 ? "eventfd" : name;
    const struct library_line *own = find_own_line(name), *line = own ? own : library_find(function);
    if (!line || !library_parse(line->items, &row))
        return NULL;
    struct library_row *kept = NEW_ZEROED(struct library_row, 1);
    *kept = row;
    return kept;
}

static struct known *know(long number)
{
    struct known *k = &all[number >= 0 && number < NUMBERS ? number : NUMBERS - 1];
    const char *name = name_of(number);
    if (k->is_known)
        return k;
    snprintf(k->number, sizeof k->number, "number %ld", number);
    k->call = (struct import_call){.name = name ? name : k->number, .library = "system calls"};
    k->call.row = name ? find_row(name) : NULL;
    k->is_known = number >= 0 && number < NUMBERS - 1;
    return k;
}

static struct library_frame make_frame(const long *a)
{
    struct library_frame f = {0};
    for (int k = 0; k < SYSTEM_CALL_ARGUMENTS; k++)
        f.integers[k] = (uint64_t)a[k];
    return f;
}

/* ------------------------------------------------------------------ membarrier */

/* A full fence in every thread. Where all accesses are in one order anyway there is nothing to do. */
static long membarrier(int command, const void *pc)
{
    const struct worker_config *c = engine_config();
    if (command == MEMBARRIER_CMD_QUERY)
        return MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_PRIVATE_EXPEDITED |
               MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED;
    if (command == MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED ||
        command == MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)
        return 0;
    if (!c->all_seq_cst && !(engine_graph_mode && model_is(c->memory, MODEL_INTERLEAVED)))
        engine_give_up(pc, "membarrier (--memory sc can)");
    engine_note_effect();
    return 0;
}

/* ------------------------------------------------------------------ calls */

/* Functions of the runtime, which take words and return an int, or a word. */
typedef void any_function(void);
static const struct replaced {
    long number;
    any_function *function;
    bool returns_word;
} replaced[] = {
    {SYS_eventfd2, (any_function *)eventfd, false},
#define I(name) {SYS_##name, (any_function *)name, false},
#define W(name) {SYS_##name, (any_function *)name, true},
    /* clang-format off */
    I(semget) I(semop) I(semtimedop) I(semctl) I(msgget) I(msgsnd) W(msgrcv) I(msgctl)
    I(gettid) I(getpid) I(getppid) I(getpgid) I(getsid) I(setsid) I(setpgid) I(kill) I(tgkill) I(wait4)
    I(waitid) I(sched_yield) I(sched_setaffinity) I(sched_getscheduler) I(sched_setscheduler)
    I(sched_getparam) I(sched_setparam) I(sched_rr_get_interval) I(getcpu) I(setpriority) I(prlimit64) I(pidfd_open)
    W(process_vm_readv) W(process_vm_writev) W(getrandom) I(clock_gettime) I(gettimeofday) W(times)
    I(getrusage) I(nanosleep) W(read) W(write) W(readv) W(writev) W(recvfrom) W(sendto) W(recvmsg)
    W(sendmsg) I(accept) I(accept4) I(openat) I(ppoll) I(epoll_pwait) I(fcntl) I(setitimer)
    I(pipe2) I(close) I(close_range) I(dup) I(dup3) I(ioctl) I(socketpair) I(shutdown) I(setsockopt) I(getsockopt)
    I(epoll_create1) I(epoll_ctl) I(epoll_pwait2) I(timerfd_create) I(timerfd_settime) I(timerfd_gettime)
#if defined(__x86_64__)
    I(getpgrp) W(time) I(poll) I(select) I(epoll_wait) I(pipe) I(dup2) I(epoll_create) I(open) I(creat) I(unlink) I(rename) I(link)
    I(symlink) I(mkdir) I(rmdir) I(access) W(readlink) I(alarm)
#endif
/* clang-format on */
#undef I
#undef W
};

static const struct replaced *find_replaced(long number)
{
    for (size_t k = 0; k < sizeof replaced / sizeof *replaced; k++)
        if (replaced[k].number == number)
            return &replaced[k];
    return NULL;
}

static long do_replaced(const struct replaced *r, const long *a)
{
    typedef int int_call(long, long, long, long, long, long);
    typedef long word_call(long, long, long, long, long, long);
    if (r->returns_word)
        return ((word_call *)r->function)(a[0], a[1], a[2], a[3], a[4], a[5]);
    return ((int_call *)r->function)(a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The system's masks are one word. */
static long change_mask(const long *a)
{
    sigset_t set = {0}, old = {0};
    if (a[3] != sizeof(uint64_t)) {
        errno = EINVAL;
        return -1;
    }
    if (a[1])
        memcpy(&set, (const void *)a[1], sizeof(uint64_t));
    int result = sigprocmask((int)a[0], a[1] ? &set : NULL, &old);
    if (result == 0 && a[2])
        memcpy((void *)a[2], &old, sizeof(uint64_t));
    return result;
}

static long find_pending(const long *a)
{
    sigset_t set = {0};
    int result = sigpending(&set);
    if (result == 0)
        memcpy((void *)a[0], &set, (size_t)a[1] < sizeof(uint64_t) ? (size_t)a[1] : sizeof(uint64_t));
    return result;
}

/* Where system and library differ in what they take or return. */
static bool do_translated(long number, const long *a, long *result)
{
    switch (number) {
    case SYS_clock_nanosleep:
        errno = clock_nanosleep((clockid_t)a[0], (int)a[1], (const void *)a[2], (void *)a[3]);
        *result = errno ? -1 : 0;
        return true;
    case SYS_getpriority: *result = 20 - getpriority((__priority_which_t)a[0], (id_t)a[1]); return true;
    case SYS_sched_getaffinity:
        *result = sched_getaffinity((pid_t)a[0], (size_t)a[1], (void *)a[2]) ? -1 : (long)sizeof(long);
        return true;
    case SYS_tkill: *result = raise((int)a[1]); return true;
    case SYS_rt_sigprocmask: *result = change_mask(a); return true;
    case SYS_rt_sigpending: *result = find_pending(a); return true;
    case SYS_io_uring_setup: /* as of kernels without it: programs have another way then */
        errno = ENOSYS;
        *result = -1;
        return true;
    default: return false;
    }
}

/* What would take the process away from us. */
static void refuse(long number, const long *a, const void *pc)
{
    switch (number) {
    case SYS_clone:
    case SYS_clone3:
#ifdef SYS_fork
    case SYS_fork:
    case SYS_vfork:
#endif
    case SYS_execve:
    case SYS_execveat: engine_give_up(pc, "a new process, program or thread by a system call");
    case SYS_tkill:
        if (a[0] == IDENTITY_PROCESS + (long)engine_current())
            return;
        engine_give_up(pc, "tkill of another thread");
    case SYS_rt_sigaction:
        if (!a[1])
            return;
        engine_give_up(pc, "rt_sigaction by a system call");
#ifdef SYS_pause
    case SYS_pause:
#endif
    case SYS_timer_create:
    case SYS_ptrace:
    case SYS_pidfd_send_signal:
    case SYS_rt_sigqueueinfo:
    case SYS_rt_tgsigqueueinfo:
    case SYS_rt_sigreturn:
    case SYS_rt_sigsuspend:
    case SYS_rt_sigtimedwait:
    case SYS_io_uring_enter:
    case SYS_userfaultfd: engine_give_up(pc, "%s by a system call", name_of(number));
    default: return;
    }
}

/* Does the runtime have a function of that name, which is not called? */
static bool is_replaced(const char *name)
{
    const void *function = dlsym(RTLD_DEFAULT, name);
    return function && snapshot_is_runtime_code(function);
}

/* Numbers of the program's own do not get there as they are. */
static long translate(long number, unsigned position, long argument)
{
    static const struct {
        long number;
        unsigned position;
    } takers[] = {{SYS_ioprio_get, 1},     {SYS_ioprio_set, 1},    {SYS_sched_getattr, 0},
                  {SYS_sched_setattr, 0},  {SYS_migrate_pages, 0}, {SYS_move_pages, 0},
                  {SYS_kcmp, 0},           {SYS_kcmp, 1},          {SYS_get_robust_list, 0},
                  {SYS_perf_event_open, 1}};
    for (size_t k = 0; k < sizeof takers / sizeof *takers; k++)
        if (takers[k].number == number && takers[k].position == position && argument > 0)
            return identity_of_system((pid_t)argument);
    return argument;
}

static long do_by_system(long number, const long *arguments)
{
    long a[SYSTEM_CALL_ARGUMENTS];
    for (unsigned k = 0; k < SYSTEM_CALL_ARGUMENTS; k++)
        a[k] = translate(number, k, arguments[k]);
    return NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The answers that the system decides. */
static void note_answer(long number, const void *pc)
{
    static const long numbers[] = {SYS_gettid,        SYS_getpid,       SYS_getppid, SYS_getcpu,
                                   SYS_clock_gettime, SYS_gettimeofday, SYS_times,   SYS_io_uring_setup,
#ifdef SYS_time
                                   SYS_time,          SYS_getpgrp
#endif
    };
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (numbers[k] == number)
            engine_note_answer(name_of(number), pc);
}

static long do_call(long number, struct known *k, const long *a, const void *pc)
{
    long result;
    const struct replaced *r = find_replaced(number);
    note_answer(number, pc);
    if (r)
        return do_replaced(r, a);
    if (do_translated(number, a, &result) || mapping_call(number, a, pc, &result))
        return result;
    if (!k->call.row || is_replaced(k->call.name))
        engine_note_unseen(&k->call);
    engine_note_effect();
    return do_by_system(number, a);
}

long system_call(long number, const long *a, const void *pc)
{
    struct known *k = know(number);
    struct library_frame f = make_frame(a);
    refuse(number, a, pc);
    if (number == SYS_membarrier)
        return membarrier((int)a[0], pc);
    if (k->call.row)
        library_do_items(&k->call, &f, NULL, pc, false);
    long result = do_call(number, k, a, pc);
    f.result = (uint64_t)result;
    if (k->call.row)
        library_do_items(&k->call, &f, NULL, pc, true);
    return result;
}
