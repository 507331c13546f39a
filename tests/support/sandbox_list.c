/* SPDX-License-Identifier: Apache-2.0 */
#include "support/sandbox_list.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define OTHER_ARCHITECTURE AUDIT_ARCH_I386
#else
#define OTHER_ARCHITECTURE AUDIT_ARCH_ARM
#endif

enum { OWN = 1000 };

/* The instructions that filters of ours are made of. */
static uint32_t run(const struct sandbox_filter *f, const struct seccomp_data *data)
{
    uint32_t loaded = 0;
    for (unsigned at = 0; at < f->length; at++) {
        const struct sock_filter *i = &f->list[at];
        bool holds = i->code == (BPF_JMP | BPF_JEQ | BPF_K)    ? loaded == i->k
                     : i->code == (BPF_JMP | BPF_JGE | BPF_K)  ? loaded >= i->k
                     : i->code == (BPF_JMP | BPF_JSET | BPF_K) ? (loaded & i->k) != 0
                                                               : false;
        if (i->code == (BPF_RET | BPF_K))
            return i->k;
        if (i->code == (BPF_LD | BPF_W | BPF_ABS))
            memcpy(&loaded, (const char *)data + i->k, sizeof loaded);
        else
            at += holds ? i->jt : i->jf;
    }
    abort();
}

int sandbox_list_answer(const struct sandbox_filter *f, uint32_t architecture, uint32_t call,
                        const uint64_t *arguments)
{
    struct seccomp_data data = {.nr = (int)call, .arch = architecture};
    memcpy(data.args, arguments, sizeof data.args);
    uint32_t answer = run(f, &data);
    return answer == SECCOMP_RET_ALLOW ? 0 : (int)(answer & SECCOMP_RET_DATA);
}

static const char *word(int error)
{
    return error == 0 ? "permitted" : strerrorname_np(error);
}

#define NEITHER UINT64_C(4711)
static const struct call {
    const char *text;
    long number;
    uint64_t arguments[SANDBOX_LIST_ARGUMENTS];
} calls[] = {
    {"openat O_RDONLY", SYS_openat, {0, 1, O_RDONLY | O_CLOEXEC}},
    {"openat O_PATH", SYS_openat, {0, 1, O_PATH}},
    {"openat O_WRONLY", SYS_openat, {0, 1, O_WRONLY}},
    {"openat O_RDWR", SYS_openat, {0, 1, O_RDWR}},
    {"openat O_CREAT", SYS_openat, {0, 1, O_CREAT}},
    {"openat O_TRUNC", SYS_openat, {0, 1, O_TRUNC}},
    {"openat O_TMPFILE", SYS_openat, {0, 1, O_TMPFILE | O_WRONLY}},
    {"clone of a thread", SYS_clone, {CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD}},
    {"clone of a process", SYS_clone, {17}},
    {"clone CLONE_NEWUSER", SYS_clone, {CLONE_NEWUSER | 17}},
    {"clone CLONE_NEWNS", SYS_clone, {CLONE_NEWNS | 17}},
    {"clone CLONE_NEWPID", SYS_clone, {CLONE_NEWPID | 17}},
    {"clone CLONE_NEWNET", SYS_clone, {CLONE_NEWNET | 17}},
    {"clone CLONE_PARENT", SYS_clone, {CLONE_PARENT | 17}},
    {"fcntl F_DUPFD_CLOEXEC", SYS_fcntl, {1, F_DUPFD_CLOEXEC}},
    {"fcntl F_SETFD", SYS_fcntl, {1, F_SETFD, 1}},
    {"fcntl F_SETFL O_NONBLOCK", SYS_fcntl, {1, F_SETFL, O_NONBLOCK}},
    {"fcntl F_SETFL O_ASYNC", SYS_fcntl, {1, F_SETFL, O_ASYNC}},
    {"fcntl F_SETOWN", SYS_fcntl, {1, F_SETOWN, NEITHER}},
    {"fcntl F_SETOWN_EX", SYS_fcntl, {1, F_SETOWN_EX}},
    {"fcntl F_SETSIG", SYS_fcntl, {1, F_SETSIG, 9}},
    {"fcntl F_SETLEASE", SYS_fcntl, {1, F_SETLEASE}},
    {"fcntl F_SETLK", SYS_fcntl, {1, F_SETLK}},
    {"fcntl F_OFD_SETLKW", SYS_fcntl, {1, F_OFD_SETLKW}},
    {"fcntl F_NOTIFY", SYS_fcntl, {1, F_NOTIFY}},
    {"ioctl TCGETS", SYS_ioctl, {1, TCGETS}},
    {"ioctl FIONREAD", SYS_ioctl, {1, FIONREAD}},
    {"ioctl FIOASYNC", SYS_ioctl, {1, FIOASYNC}},
    {"ioctl TIOCSTI", SYS_ioctl, {1, TIOCSTI}},
    {"ioctl TIOCLINUX", SYS_ioctl, {1, TIOCLINUX}},
    {"ioctl TIOCSPGRP", SYS_ioctl, {1, TIOCSPGRP}},
    {"ioctl FS_IOC_SETFLAGS", SYS_ioctl, {1, FS_IOC_SETFLAGS}},
    {"prctl PR_SET_NAME", SYS_prctl, {PR_SET_NAME}},
    {"prctl PR_SET_SECCOMP", SYS_prctl, {PR_SET_SECCOMP}},
    {"prctl PR_SET_MM", SYS_prctl, {PR_SET_MM}},
    {"prctl PR_SET_CHILD_SUBREAPER", SYS_prctl, {PR_SET_CHILD_SUBREAPER, 1}},
    {"prctl PR_SCHED_CORE", SYS_prctl, {62}},
    {"kill 0", SYS_kill, {0, 9}},
    {"kill itself", SYS_kill, {OWN, 9}},
    {"kill another", SYS_kill, {NEITHER, 9}},
    {"kill all", SYS_kill, {UINT64_MAX, 9}},
    {"tgkill itself", SYS_tgkill, {OWN, OWN, 9}},
    {"tgkill another", SYS_tgkill, {NEITHER, NEITHER, 9}},
    {"tkill another", SYS_tkill, {NEITHER, 9}},
    {"rt_sigqueueinfo itself", SYS_rt_sigqueueinfo, {OWN}},
    {"rt_sigqueueinfo another", SYS_rt_sigqueueinfo, {NEITHER}},
    {"rt_tgsigqueueinfo another", SYS_rt_tgsigqueueinfo, {NEITHER, NEITHER}},
    {"setpriority itself", SYS_setpriority, {PRIO_PROCESS, 0}},
    {"setpriority another", SYS_setpriority, {PRIO_PROCESS, NEITHER}},
    {"setpriority of a group", SYS_setpriority, {PRIO_PGRP, 0}},
    {"setpriority of a user", SYS_setpriority, {PRIO_USER, 0}},
    {"ioprio_set itself", SYS_ioprio_set, {1, 0}},
    {"ioprio_set another", SYS_ioprio_set, {1, NEITHER}},
    {"ioprio_set of a user", SYS_ioprio_set, {3, 0}},
    {"prlimit64 itself", SYS_prlimit64, {0}},
    {"prlimit64 another", SYS_prlimit64, {NEITHER}},
    {"sched_setaffinity itself", SYS_sched_setaffinity, {OWN}},
    {"sched_setaffinity another", SYS_sched_setaffinity, {NEITHER}},
    {"sched_setscheduler another", SYS_sched_setscheduler, {NEITHER}},
    {"sched_setparam another", SYS_sched_setparam, {NEITHER}},
    {"sched_setattr another", SYS_sched_setattr, {NEITHER}},
    {"get_robust_list another", SYS_get_robust_list, {NEITHER}},
#if defined(__x86_64__)
    {"open O_RDONLY", SYS_open, {1, O_RDONLY}},
    {"open O_WRONLY", SYS_open, {1, O_WRONLY}},
    {"open O_CREAT", SYS_open, {1, O_CREAT}},
    {"x32 getpid", 0x40000000 | SYS_getpid, {0}},
#endif
};

static void print_number(FILE *to, const struct sandbox_filter *f, uint32_t number)
{
    static const uint64_t none[SANDBOX_LIST_ARGUMENTS],
        ones[SANDBOX_LIST_ARGUMENTS] = {UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                        UINT64_MAX, UINT64_MAX, UINT64_MAX};
    int with_none = sandbox_list_answer(f, SANDBOX_LIST_ARCHITECTURE, number, none),
        with_ones = sandbox_list_answer(f, SANDBOX_LIST_ARCHITECTURE, number, ones);
    if (with_none != with_ones)
        fprintf(to, "%u by arguments\n", number);
    else if (with_none != ENOSYS)
        fprintf(to, "%u %s\n", number, word(with_none));
}

void sandbox_list_print(FILE *to, bool scoped)
{
    static struct sandbox_filter f;
    static const uint64_t none[SANDBOX_LIST_ARGUMENTS];
    sandbox_filter_build(&f, scoped);
    sandbox_filter_set_own(&f, OWN);
    for (uint32_t number = 0; number < SANDBOX_LIST_NUMBERS; number++)
        print_number(to, &f, number);
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        fprintf(to, "%s: %s\n", calls[k].text,
                word(sandbox_list_answer(&f, SANDBOX_LIST_ARCHITECTURE, (uint32_t)calls[k].number,
                                         calls[k].arguments)));
    for (uint32_t number = 0; number < SANDBOX_LIST_NUMBERS; number++)
        if (sandbox_list_answer(&f, OTHER_ARCHITECTURE, number, none) != ENOSYS)
            fprintf(to, "32-bit call %u is permitted\n", number);
}

#ifdef SANDBOX_LIST_MAIN /* for another architecture */
int main(void)
{
    sandbox_list_print(stdout, false);
    return 0;
}
#endif
