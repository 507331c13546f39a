/* SPDX-License-Identifier: Apache-2.0 */
/* usage: fault_injector KIND N SECONDS REPORT COMMAND...
 * Runs the command and lets the Nth system call of a kind fail, counted over all of its processes (0: none fails). The kernel asks us about
 * each such call (seccomp), so that raw system calls and programs without libc are reached, too. REPORT gets the number of calls, and which one
 * failed. The exit code is the command's; 124 when the time is over, 125 when processes of it were left, 126 when the kernel cannot do this. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define OLD_CALLS(...) __VA_ARGS__
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define OLD_CALLS(...)
#endif

enum { CALLS_MAX = 16 };

enum fault {
    FAULT_ERROR,
    FAULT_KILL,   /* the process is gone instead */
    FAULT_SILENT, /* the program that is started says nothing and ends with 0 */
    FAULT_REFUSE, /* and with 1 */
};

static const struct kind {
    const char *name;
    enum fault fault;
    int error;
    int calls[CALLS_MAX]; /* ends with -1 */
} kinds[] = {
    {"fork", FAULT_ERROR, EAGAIN, {SYS_clone, SYS_clone3, OLD_CALLS(SYS_fork, SYS_vfork, ) - 1}},
    {"exec", FAULT_ERROR, ENOMEM, {SYS_execve, SYS_execveat, -1}},
    {"open", FAULT_ERROR, EMFILE, {SYS_openat, SYS_openat2, OLD_CALLS(SYS_open, SYS_creat, ) - 1}},
    {"make",
     FAULT_ERROR,
     ENOSPC,
     {SYS_memfd_create, SYS_pipe2, SYS_mkdirat, SYS_renameat2, SYS_renameat, SYS_linkat, SYS_socketpair,
      OLD_CALLS(SYS_pipe, SYS_mkdir, SYS_rename, ) - 1}},
    {"copy", FAULT_ERROR, EMFILE, {SYS_dup, SYS_dup3, SYS_fcntl, OLD_CALLS(SYS_dup2, ) - 1}},
    {"map", FAULT_ERROR, ENOMEM, {SYS_mmap, SYS_mremap, SYS_brk, SYS_mprotect, -1}},
    {"write", FAULT_ERROR, ENOSPC, {SYS_write, SYS_writev, SYS_pwrite64, SYS_ftruncate, SYS_fallocate, -1}},
    {"read", FAULT_ERROR, EIO, {SYS_read, SYS_readv, SYS_pread64, -1}},
    {"kill", FAULT_KILL, 0, {SYS_execve, -1}},
    {"kill-write", FAULT_KILL, 0, {SYS_write, SYS_writev, SYS_pwrite64, -1}},
    {"kill-late", FAULT_KILL, 0, {SYS_exit_group, -1}},
    {"silent", FAULT_SILENT, 0, {SYS_execve, -1}},
    {"refuse", FAULT_REFUSE, 0, {SYS_execve, -1}},
};

static const struct kind *find_kind(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    fprintf(stderr, "fault_injector: no such kind: %s\n", name);
    exit(2);
}

static int install(const struct kind *kind)
{
    struct sock_filter code[CALLS_MAX * 2 + 8];
    unsigned short length = 0;
    code[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    code[length++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (const int *call = kind->calls; *call >= 0; call++) {
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)*call, 0, 1);
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {length, code};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* The number of the child's descriptor; it cannot send it, because that may be a call of the kind. */
static _Atomic int *shared_number;

static void become_command(const struct kind *kind, char **command)
{
    int listener = install(kind);
    *shared_number = listener < 0 ? -2 : listener;
    while (*shared_number >= 0)
        sched_yield();
    if (listener < 0)
        _exit(126);
    close(listener);
    execvp(command[0], command);
    fprintf(stderr, "fault_injector: cannot run %s: %s\n", command[0], strerror(errno));
    _exit(127);
}

static int take_listener(pid_t child)
{
    while (*shared_number == -1)
        sched_yield();
    int descriptor = (int)syscall(SYS_pidfd_open, child, 0), listener = -1;
    if (*shared_number >= 0)
        listener = (int)syscall(SYS_pidfd_getfd, descriptor, *shared_number, 0);
    close(descriptor);
    *shared_number = -2;
    return listener;
}

/* Where the path of the program stands in the memory of the process, another one is written. */
static bool change_program(pid_t process, unsigned long long at, const char *path)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/mem", (int)process);
    int memory = open(name, O_RDWR | O_CLOEXEC);
    bool changed = pwrite(memory, path, strlen(path) + 1, (off_t)at) > 0;
    close(memory);
    return changed;
}

static void describe(FILE *report, const struct seccomp_notif *asked)
{
    char name[64], who[64] = "?", path[256] = "";
    snprintf(name, sizeof name, "/proc/%d/comm", (int)asked->pid);
    FILE *file = fopen(name, "re");
    if (file && fgets(who, sizeof who, file))
        who[strcspn(who, "\n")] = 0;
    if (file)
        fclose(file);
    int k = asked->data.nr == SYS_openat ? 1 : 0;
    snprintf(name, sizeof name, "/proc/%d/mem", (int)asked->pid);
    int memory = open(name, O_RDONLY | O_CLOEXEC);
    if ((asked->data.nr == SYS_execve || asked->data.nr == SYS_openat) &&
        pread(memory, path, sizeof path - 1, (off_t)asked->data.args[k]) < 0)
        path[0] = 0;
    close(memory);
    fprintf(report, "failed: call %d (%llu, %llu, %llu) of %s %.*s\n", asked->data.nr, asked->data.args[0],
            asked->data.args[1], asked->data.args[2], who, (int)strnlen(path, sizeof path), path);
}

static void let_fail(const struct kind *kind, const struct seccomp_notif *asked,
                     struct seccomp_notif_resp *answer)
{
    if (kind->fault == FAULT_ERROR) {
        answer->error =
            asked->data.nr == SYS_brk ? 0 : -kind->error; /* brk answers with the end that there is */
        answer->flags = 0;
    } else if (kind->fault == FAULT_KILL) {
        kill((pid_t)asked->pid, SIGKILL);
    } else {
        change_program((pid_t)asked->pid, asked->data.args[0],
                       kind->fault == FAULT_SILENT ? "/bin/true" : "/bin/false");
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct run {
    const struct kind *kind;
    long wanted, count;
    int listener;
    FILE *report;
};

static void answer_one(struct run *r)
{
    struct seccomp_notif asked = {0};
    if (ioctl(r->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
        return; /* the process is gone */
    struct seccomp_notif_resp answer = {.id = asked.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    if (++r->count == r->wanted) {
        describe(r->report, &asked);
        let_fail(r->kind, &asked, &answer);
    }
    ioctl(r->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/* Until no process is left that could ask. True: none is. */
static bool watch(struct run *r, pid_t child, double seconds, int *status)
{
    bool ended = false;
    for (double end = now() + seconds; now() < end;) {
        struct pollfd watched = {.fd = r->listener, .events = POLLIN};
        poll(&watched, 1, 20);
        if (watched.revents & POLLIN)
            answer_one(r);
        if (!ended && waitpid(child, status, WNOHANG) == child) {
            ended = true;
            end = now() + 3;
        }
        if (ended && (watched.revents & POLLHUP))
            return true;
    }
    if (!ended) {
        kill(child, SIGKILL);
        waitpid(child, status, 0);
        *status = 124 << 8;
    } else {
        *status = 125 << 8;
    }
    return false;
}

int main(int count, char **words)
{
    if (count < 6) {
        fprintf(stderr, "usage: fault_injector KIND N SECONDS REPORT COMMAND...\n");
        return 2;
    }
    struct run run = {.kind = find_kind(words[1]), .wanted = atol(words[2]), .report = fopen(words[4], "we")};
    int status = 0;
    shared_number =
        mmap(NULL, sizeof *shared_number, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!run.report || shared_number == MAP_FAILED)
        return 2;
    *shared_number = -1;
    pid_t child = fork();
    if (child == 0)
        become_command(run.kind, words + 5);
    run.listener = take_listener(child);
    if (run.listener < 0)
        return 126;
    watch(&run, child, atof(words[3]), &status);
    fprintf(run.report, "calls: %ld\n", run.count);
    fclose(run.report);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
