/* SPDX-License-Identifier: Apache-2.0 */
/* A library that the runtime does not see into, for lies.sh: lie() does what the variable LIE of the environment says, by system calls
 * of its own, to what the program shares with the tool and to the tool itself. */
#include "engine/shared/protocol.h"
#include "engine/shared/work_pool.h"
#include "native/stress_shared.h"
#include "prove/prove_shared.h"

#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>

static long raw(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                     x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#endif
}
#define RAW3(n, a, b, c) raw(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)

static _Noreturn void leave(int code)
{
    for (;;)
        RAW3(SYS_exit_group, code, 0, 0);
}

/* ------------------------------------------------------------------ what is shared */

static char maps[1 << 18];

static void read_file(const char *path, char *to, size_t size)
{
    long file = raw(SYS_openat, AT_FDCWD, (long)path, O_RDONLY, 0, 0, 0), length = 0, got;
    while (length + 1 < (long)size &&
           (got = RAW3(SYS_read, file, to + length, size - 1 - (size_t)length)) > 0)
        length += got;
    to[length] = 0;
    RAW3(SYS_close, file, 0, 0);
}

struct place {
    char *from;
    size_t size;
};

static struct place find(const char *name)
{
    struct place p = {0};
    unsigned long from, to;
    read_file("/proc/self/maps", maps, sizeof maps);
    char *at = strstr(maps, name);
    while (at && at > maps && at[-1] != '\n')
        at--;
    if (at && sscanf(at, "%lx-%lx", &from, &to) == 2)
        p = (struct place){(char *)from, to - from};
    return p;
}

static struct place find_any(void)
{
    return find("memfd:plumb-");
}

/* ------------------------------------------------------------------ results */

static void claim(void)
{
    struct worker_shared *w = (void *)find("memfd:plumb-worker").from;
    struct prove_shared *p = (void *)find("memfd:plumb-prove").from;
    struct stress_shared *s = (void *)find("memfd:plumb-stress").from;
    if (w) {
        w->state = WORKER_DONE;
        w->executions = w->complete = 100;
        w->steps = 1000;
        w->limits = 0;
    }
    if (p) {
        p->answer = PROVE_HOLDS;
        p->pairs = p->states = p->transitions = 100;
        p->phase = PROVE_DONE;
    }
    if (s) {
        s->account =
            (struct stress_account){.number = s->round.number, .seed = s->round.seed, .rounds = s->go};
        s->ended = s->go;
        s->beats++;
    }
}

static void say_done(void)
{
    claim();
    leave(0);
}

static void say_done_of_nothing(void)
{
    struct worker_shared *w = (void *)find("memfd:plumb-worker").from;
    struct prove_shared *p = (void *)find("memfd:plumb-prove").from;
    if (w)
        w->state = WORKER_DONE, w->executions = w->complete = w->steps = 0;
    if (p)
        p->answer = PROVE_HOLDS, p->phase = PROVE_DONE;
    leave(0);
}

static struct sign_off *find_sign_off(void)
{
    struct worker_shared *w = (void *)find("memfd:plumb-worker").from;
    struct prove_shared *p = (void *)find("memfd:plumb-prove").from;
    struct stress_shared *s = (void *)find("memfd:plumb-stress").from;
    return w ? &w->sign_off : p ? &p->sign_off : s ? &s->sign_off : NULL;
}

static void say_done_signed(void)
{
    claim();
    find_sign_off()->signature = find_sign_off()->key = 1;
    leave(0);
}

static void refused(void)
{
    struct worker_shared *w = (void *)find("memfd:plumb-worker").from;
    struct prove_shared *p = (void *)find("memfd:plumb-prove").from;
    if (w)
        w->state = WORKER_REFUSED, strcpy(w->error.message, "a forged message");
    if (p)
        p->phase = PROVE_REFUSED, strcpy(p->message, "a forged message");
    leave(0);
}

static void leave_0(void)
{
    leave(0);
}

static void counts(void)
{
    struct worker_shared *w = (void *)find("memfd:plumb-worker").from;
    if (w)
        w->executions += 1000, w->complete += 1000;
}

static void counts_back(void)
{
    struct worker_shared *w = (void *)find("memfd:plumb-worker").from;
    if (w)
        w->executions = w->complete = 0;
}

static void asks_less(void)
{
    struct worker_shared *w = (void *)find("memfd:plumb-worker").from;
    struct prove_shared *p = (void *)find("memfd:plumb-prove").from;
    struct stress_shared *s = (void *)find("memfd:plumb-stress").from;
    if (w)
        w->config.step_limit = 1u << 30, w->config.executions_max = 1, w->config.compute_ms = 1u << 30;
    if (p)
        p->question.threads = 1, p->question.seconds = 0;
    if (s)
        s->round.calls = 1, s->plan.keys = 1;
}

static void through_mem(void)
{
    struct worker_shared *w = (void *)find_any().from;
    uint32_t state = WORKER_DONE;
    long file = raw(SYS_openat, AT_FDCWD, (long)"/proc/self/mem", O_RDWR, 0, 0, 0);
    raw(SYS_pwrite64, file, (long)&state, sizeof state, (long)&w->state, 0, 0);
    leave(0);
}

static void fill(int byte)
{
    struct place p = find_any();
    memset(p.from, byte, p.size);
    leave(0);
}

static void ones(void)
{
    fill(0xff);
}
static void zeros(void)
{
    fill(0);
}

static void pool(uint32_t over)
{
    struct pool *p = (void *)find("memfd:plumb-pool").from;
    if (p) {
        p->over = over;
        p->workers = 1u << 30;
        for (uint32_t k = 0; k < 4; k++)
            p->boxes[k].bell++;
    }
}
static void pool_done(void)
{
    pool(POOL_DONE);
}
static void pool_bounded(void)
{
    pool(POOL_BOUNDED);
}
static void pool_divided(void)
{
    pool(POOL_DIVIDED);
}

/* A child that goes on claiming, for the program that it was forked from: it may not have been mapped there yet. */
static void claim_for_long(void)
{
    if (raw(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0) != 0)
        return;
    raw(SYS_mmap, 0, 1 << 28, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    RAW3(SYS_setsid, 0, 0, 0);
    for (int k = 0; k < 1 << 14; k++) {
        claim();
        RAW3(SYS_sched_yield, 0, 0, 0);
    }
    leave(0);
}

/* ------------------------------------------------------------------ memory and descriptors */

static void shorten_in(const char *folder, int most)
{
    char path[128];
    for (int fd = 3; fd < most; fd++) {
        snprintf(path, sizeof path, "%s/%d", folder, fd);
        long file = raw(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_NONBLOCK, 0, 0, 0);
        char to[128] = "";
        long length = raw(SYS_readlinkat, AT_FDCWD, (long)path, (long)to, sizeof to - 1, 0, 0);
        if (file >= 0 && length > 0 && strncmp(to, "/memfd:", 7) == 0)
            RAW3(SYS_ftruncate, file, 0, 0);
        RAW3(SYS_close, file, 0, 0);
    }
}
static void shorten(void)
{
    for (int fd = 3; fd < 1024; fd++)
        RAW3(SYS_ftruncate, fd, 0, 0);
    shorten_in("/proc/self/fd", 64);
}
static void shorten_of_tool(void)
{
    char folder[64];
    snprintf(folder, sizeof folder, "/proc/%ld/fd", raw(SYS_getppid, 0, 0, 0, 0, 0, 0));
    shorten_in(folder, 64);
    leave(0);
}
static void shorten_map(void)
{
    char path[128];
    struct place p = find_any();
    snprintf(path, sizeof path, "/proc/self/map_files/%lx-%lx", (unsigned long)p.from,
             (unsigned long)p.from + p.size);
    long file = raw(SYS_openat, AT_FDCWD, (long)path, O_RDWR, 0, 0, 0);
    RAW3(SYS_ftruncate, file, 0, 0);
    RAW3(SYS_ftruncate, file, 1L << 40, 0);
}
static void unmap(void)
{
    struct place p = find_any();
    RAW3(SYS_munmap, p.from, p.size, 0);
}
static void protect(void)
{
    struct place p = find_any();
    RAW3(SYS_mprotect, p.from, p.size, PROT_NONE);
}
static void read_only(void)
{
    struct place p = find_any();
    RAW3(SYS_mprotect, p.from, p.size, PROT_READ);
}
static void move(void)
{
    struct place p = find_any();
    raw(SYS_mremap, (long)p.from, (long)p.size, (long)p.size, MREMAP_MAYMOVE | MREMAP_FIXED, 0x500000000000,
        0);
}
static void replace(void)
{
    struct place p = find_any();
    raw(SYS_mmap, (long)p.from, (long)p.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
        -1, 0);
}
static void close_all(void)
{
    for (int fd = 0; fd < 1024; fd++)
        RAW3(SYS_close, fd, 0, 0);
    for (int fd = 0; fd < 16; fd++)
        raw(SYS_openat, AT_FDCWD, (long)"/dev/null", O_RDWR, 0, 0, 0);
}

/* ------------------------------------------------------------------ processes */

static long spawn(long flags)
{
    return raw(SYS_clone, flags, 0, 0, 0, 0, 0);
}
static void pause_long(void)
{
    long time[2] = {100, 0};
    RAW3(SYS_nanosleep, time, 0, 0);
}
static void child_lives(void)
{
    if (spawn(SIGCHLD) == 0) {
        RAW3(SYS_setsid, 0, 0, 0);
        for (int k = 0; k < 1 << 20; k++)
            claim();
        pause_long();
        leave(0);
    }
    leave(0);
}
static void child_claims(void)
{
    if (spawn(SIGCHLD) == 0)
        say_done();
}
static void child_shares(void)
{
    static char stack[1 << 16];
    char *top = stack + sizeof stack - 64;
    (void)top;
    if (spawn(CLONE_VFORK | SIGCHLD) == 0)
        say_done();
}
static void exec_true(void)
{
    char *words[] = {"/bin/true", NULL}, *none[] = {NULL};
    claim();
    RAW3(SYS_execve, words[0], words, none);
}
static void kill_tool(void)
{
    static const int deadly[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGALRM, SIGPIPE, SIGQUIT};
    for (size_t k = 0; k < sizeof deadly / sizeof *deadly; k++)
        RAW3(SYS_kill, raw(SYS_getppid, 0, 0, 0, 0, 0, 0), deadly[k], 0);
    say_done();
}
static void stop_self(void)
{
    claim();
    RAW3(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGSTOP, 0);
}
static void kill_self(void)
{
    claim();
    RAW3(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGKILL, 0);
}
static void segv_self(void)
{
    claim();
    RAW3(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGSEGV, 0);
}
static void strict(void)
{
    raw(SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0, 0);
    raw(SYS_prctl, PR_SET_SECCOMP, 1, 0, 0, 0, 0);
    claim();
    leave(0);
}
static void limits(void)
{
    struct rlimit none = {0, 0};
    raw(SYS_prlimit64, 0, RLIMIT_AS, (long)&none, 0, 0, 0);
    raw(SYS_prlimit64, 0, RLIMIT_NOFILE, (long)&none, 0, 0, 0);
    raw(SYS_prlimit64, 0, RLIMIT_FSIZE, (long)&none, 0, 0, 0);
    raw(SYS_prlimit64, 0, RLIMIT_STACK, (long)&none, 0, 0, 0);
}
static void on_signal(int number)
{
    (void)number;
    claim();
    abort();
}
static void abort_in_handler(void)
{
    signal(SIGUSR2, on_signal);
    raise(SIGUSR2);
}
static void leave_thread(void)
{
    claim();
    RAW3(SYS_exit, 0, 0, 0);
}
static const struct {
    const char *name;
    void (*lie)(void);
} lies[] = {
#define LIE(name)   \
    {               \
#name, name \
    }
    LIE(say_done),
    LIE(say_done_of_nothing),
    LIE(say_done_signed),
    LIE(refused),
    LIE(leave_0),
    LIE(claim_for_long),
    LIE(counts),
    LIE(counts_back),
    LIE(asks_less),
    LIE(through_mem),
    LIE(ones),
    LIE(zeros),
    LIE(pool_done),
    LIE(pool_bounded),
    LIE(pool_divided),
    LIE(shorten),
    LIE(shorten_map),
    LIE(unmap),
    LIE(protect),
    LIE(shorten_of_tool),
    LIE(read_only),
    LIE(move),
    LIE(replace),
    LIE(close_all),
    LIE(child_lives),
    LIE(child_claims),
    LIE(child_shares),
    LIE(exec_true),
    LIE(kill_tool),
    LIE(stop_self),
    LIE(kill_self),
    LIE(segv_self),
    LIE(strict),
    LIE(limits),
    LIE(abort_in_handler),
    LIE(leave_thread),

};

void lie(void);
void lie(void)
{
    const char *wanted = getenv("LIE");
    for (size_t k = 0; wanted && k < sizeof lies / sizeof *lies; k++)
        if (strcmp(lies[k].name, wanted) == 0)
            lies[k].lie();
}

static void on_timer(int number)
{
    (void)number;
    lie();
}

/* Before main, a moment later, or when the process ends. */
__attribute__((constructor)) static void lie_early(void)
{
    const long every[4] = {0, 3000, 0, 3000};
    if (getenv("LIE_EARLY"))
        lie();
    if (getenv("LIE_LATER")) {
        struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_NODEFER | SA_RESTART};
        sigaction(SIGALRM, &action, NULL);
        RAW3(SYS_setitimer, ITIMER_REAL, every, 0);
    }
}
__attribute__((destructor)) static void lie_late(void)
{
    if (getenv("LIE_LATE"))
        lie();
}
