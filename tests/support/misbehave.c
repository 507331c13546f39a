/* SPDX-License-Identifier: Apache-2.0 */
/* A program under test that plays the role named by the environment variable MISBEHAVE. Used by robustness.sh, which
 * has the answer that plumb is to give for each role. */
#include <alloca.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int steps;

static void step(void)
{
    atomic_fetch_add(&steps, 1);
}

/* ------------------------------------------------------------------ memory */

static void heap_overrun_by_kernel(void)
{
    char *block = malloc(16);
    volatile size_t room = 4096;
    ssize_t got = readlink("/proc/self/exe", block, room); /* the kernel writes: no hook sees it */
    (void)got;
    free(block);
}

static void own_heap(void)
{
    volatile char *volatile block = malloc(16);
    for (int k = -64; k < 256; k++)
        block[k] = (char)0xff;
}

/* The size field in front of a block that the C library allocated for itself. */
static void libc_heap(void)
{
    char *block = realpath("/", NULL);
    ((volatile size_t *)block)[-1] = 0xdeadbeefdeadbeef;
    free(block);
    for (int k = 0; k < 100; k++)
        free(realpath("/", NULL));
}

static void libc_file(void)
{
    FILE *file = fopen("/dev/null", "w");
    volatile char *bytes = (volatile char *)file;
    for (size_t k = 0; k < sizeof *file; k++)
        bytes[k] = (char)0xff;
    fputs("text", file);
    fclose(file);
}

static void wild_write(void)
{
    *(volatile int *)0xffffffff8000 = 1;
}

static void jump_nowhere(void)
{
    void (*volatile nowhere)(void) = (void (*)(void))0x123456;
    nowhere();
}

static volatile int bottom = -1;

static int deep(int depth)
{
    volatile char frame[512];
    frame[0] = (char)depth;
    return depth == bottom ? 0 : deep(depth + 1) + frame[0];
}

static void stack_overflow(void)
{
    steps += deep(0);
}

static void large_frame(void)
{
    volatile char *frame = alloca(8 << 20);
    for (size_t k = 8 << 20; k-- > 0;)
        frame[k] = 1;
}

/* ------------------------------------------------------------------ processes */

static void fork_by_name(void)
{
    if (fork() == 0)
        pause();
}

static void exec_by_name(void)
{
    execl("/bin/sleep", "sleep", "1000", (char *)NULL);
}

static void system_by_name(void)
{
    if (system("sleep 1000 &"))
        step();
}

static void fork_by_number(void)
{
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0)
        pause();
}

/* In raw_call.c, which plumb-cc does not compile: the calls it makes are not known. */
long raw_call(long number, long a, long b, long c);

static long raw_fork(void)
{
    return raw_call(SYS_clone, SIGCHLD, 0, 0);
}

/* Past every hook, and the child outlives its parent. */
static void fork_raw(void)
{
    if (raw_fork() == 0)
        for (;;)
            raw_call(SYS_sched_yield, 0, 0, 0);
}

static void fork_raw_leaves_session(void)
{
    if (raw_fork() == 0) {
        raw_call(SYS_setsid, 0, 0, 0);
        if (raw_fork() == 0)
            for (;;)
                raw_call(SYS_sched_yield, 0, 0, 0);
        raw_call(SYS_exit_group, 0, 0, 0);
    }
}

static void exec_raw(void)
{
    static const char *const arguments[] = {"sleep", "1000", NULL};
    raw_call(SYS_execve, (long)"/bin/sleep", (long)arguments, (long)environ);
}

static void exec_raw_short(void)
{
    static const char *const arguments[] = {"true", NULL};
    raw_call(SYS_execve, (long)"/bin/true", (long)arguments, (long)environ);
}

/* ------------------------------------------------------------------ ends */

static void exit_0(void)
{
    exit(0);
}
static void exit_3(void)
{
    exit(3);
}
static void exit_now_0(void)
{
    _exit(0);
}
static void exit_now_3(void)
{
    _exit(3);
}
static void quick_exit_0(void)
{
    quick_exit(0);
}
static void quick_exit_3(void)
{
    quick_exit(3);
}
static void exit_raw_0(void)
{
    raw_call(SYS_exit_group, 0, 0, 0);
}
static void exit_raw_3(void)
{
    raw_call(SYS_exit_group, 3, 0, 0);
}

/* ------------------------------------------------------------------ files */

static void close_all(void)
{
    for (int k = 0; k < 1024; k++)
        close(k);
}

static int megabytes[1 << 18];

/* Numbers of the worker's own descriptors come back as others; larger variables are reset by way of one. */
static void close_all_and_open(void)
{
    if (megabytes[1000] || megabytes[200000])
        abort();
    megabytes[1000] = megabytes[200000] = 1;
    close_all();
    for (int k = 0; k < 20; k++)
        if (open("/dev/zero", O_RDWR) < 0)
            abort();
}

static void print_megabytes(void)
{
    static char line[1 << 12];
    memset(line, 'x', sizeof line - 1);
    for (int k = 0; k < 2048; k++)
        puts(line);
    fflush(stdout);
}

static void print_for_ever(void)
{
    for (;;)
        puts("again");
}

static void change_folder(void)
{
    if (chdir("/") != 0)
        abort();
}

static void unlink_itself(void)
{
    char path[4096];
    ssize_t got = readlink("/proc/self/exe", path, sizeof path - 1);
    path[got > 0 ? got : 0] = 0;
    unlink(path);
}

static void leave_files(void)
{
    FILE *file = tmpfile();
    if (!file || fputs("text", file) < 0)
        abort();
}

/* ------------------------------------------------------------------ time */

static void loop(void)
{
    for (volatile int k = 0;; k++)
        ;
}

static void loop_with_steps(void)
{
    for (;;)
        step();
}

static void sleep_for_ever(void)
{
    for (;;)
        raw_call(SYS_pause, 0, 0, 0);
}

static void use_alarm(void)
{
    alarm(1);
    loop();
}

/* Makes progress, for a minute and more. */
/* The folder tells the script that it has come so far. */
static void loop_slowly(void)
{
    raw_call(SYS_mkdirat, AT_FDCWD, (long)"begun", 0700);
    for (int k = 0; k < 10000; k++) {
        struct timespec pause = {0, 10000000};
        step();
        raw_call(SYS_nanosleep, (long)&pause, 0, 0);
    }
}

static void on_signal(int number)
{
    (void)number;
}

static void alarm_with_handler(void)
{
    signal(SIGALRM, on_signal);
    alarm(1);
}

static void use_virtual_timer(void)
{
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_VIRTUAL, &never, NULL);
    loop();
}

/* ------------------------------------------------------------------ signals */

static void raise_segv(void)
{
    raise(SIGSEGV);
}
static void raise_kill(void)
{
    raise(SIGKILL);
}
static void raise_term(void)
{
    raise(SIGTERM);
}
static void raise_stop(void)
{
    raise(SIGSTOP);
}
static void raise_user(void)
{
    raise(SIGUSR1);
}

static void block_all(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static void block_all_and_crash(void)
{
    block_all();
    wild_write();
}

static void block_all_and_loop(void)
{
    block_all();
    loop();
}

static void ignore_all(void)
{
    for (int k = 1; k < NSIG; k++)
        signal(k, SIG_IGN);
    loop();
}

static void own_handler(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGSEGV, &action, NULL);
    wild_write();
}

static void own_handler_raised(void)
{
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    step();
}

static void own_signal_stack(void)
{
    static char small[1 << 14];
    stack_t stack = {.ss_sp = small, .ss_size = sizeof small};
    sigaltstack(&stack, NULL);
    wild_write();
}

static void no_signal_stack(void)
{
    stack_t stack = {.ss_flags = SS_DISABLE};
    sigaltstack(&stack, NULL);
    stack_overflow();
}

static void kill_parent(int number)
{
    raw_call(SYS_kill, raw_call(SYS_getppid, 0, 0, 0), number, 0);
}
static void kill_parent_term(void)
{
    kill_parent(SIGTERM);
}
static void kill_parent_int(void)
{
    kill_parent(SIGINT);
}
static void kill_parent_hup(void)
{
    kill_parent(SIGHUP);
}
static void kill_everybody(void)
{
    raw_call(SYS_kill, 0, SIGKILL, 0);
}

/* ------------------------------------------------------------------ limits */

static void limit(int which, rlim_t most)
{
    struct rlimit l = {most, most};
    setrlimit((__rlimit_resource_t)which, &l);
}
static void limit_files(void)
{
    limit(RLIMIT_NOFILE, 0);
}
static void limit_processor(void)
{
    limit(RLIMIT_CPU, 1);
    loop_with_steps();
}
static void limit_memory(void)
{
    limit(RLIMIT_AS, 1 << 20);
    char *volatile block = malloc(1 << 20);
    free(block);
}
static void limit_stack(void)
{
    limit(RLIMIT_STACK, 4096);
}
static void limit_file_size(void)
{
    limit(RLIMIT_FSIZE, 0);
    puts("text");
}

/* ------------------------------------------------------------------ playing */

static const struct {
    const char *name;
    void (*play)(void);
} roles[] = {
#define ROLE(name) {#name, name},
    ROLE(heap_overrun_by_kernel) ROLE(own_heap) ROLE(libc_heap) ROLE(libc_file) ROLE(wild_write)
        ROLE(jump_nowhere) ROLE(stack_overflow) ROLE(large_frame) ROLE(fork_by_name) ROLE(exec_by_name) ROLE(
            system_by_name) ROLE(fork_by_number) ROLE(fork_raw) ROLE(fork_raw_leaves_session) ROLE(exec_raw)
            ROLE(exec_raw_short) ROLE(exit_0) ROLE(exit_3) ROLE(exit_now_0) ROLE(exit_now_3)
                ROLE(quick_exit_0) ROLE(quick_exit_3) ROLE(exit_raw_0) ROLE(exit_raw_3) ROLE(close_all)
                    ROLE(close_all_and_open) ROLE(print_megabytes) ROLE(print_for_ever) ROLE(change_folder)
                        ROLE(unlink_itself) ROLE(leave_files) ROLE(loop) ROLE(loop_with_steps)
                            ROLE(sleep_for_ever) ROLE(use_alarm) ROLE(alarm_with_handler) ROLE(loop_slowly)
                                ROLE(use_virtual_timer) ROLE(raise_segv) ROLE(raise_kill) ROLE(raise_term)
                                    ROLE(raise_stop) ROLE(raise_user) ROLE(block_all)
                                        ROLE(block_all_and_crash) ROLE(block_all_and_loop) ROLE(ignore_all)
                                            ROLE(own_handler) ROLE(own_handler_raised) ROLE(own_signal_stack)
                                                ROLE(no_signal_stack) ROLE(kill_parent_term)
                                                    ROLE(kill_parent_int) ROLE(kill_parent_hup)
                                                        ROLE(kill_everybody) ROLE(limit_files)
                                                            ROLE(limit_processor) ROLE(limit_memory)
                                                                ROLE(limit_stack) ROLE(limit_file_size)};

static void play(const char *name)
{
    for (size_t k = 0; name && k < sizeof roles / sizeof *roles; k++)
        if (strcmp(name, roles[k].name) == 0)
            roles[k].play();
}

/* MISBEHAVE_EARLY: before main, where no hook acts. */
__attribute__((constructor)) static void before_main(void)
{
    play(getenv("MISBEHAVE_EARLY"));
}

static void *work(void *role)
{
    step();
    play(role);
    step();
    return NULL;
}

int main(void)
{
    char *role = getenv("MISBEHAVE"), *in_main = getenv("MISBEHAVE_MAIN");
    pthread_t threads[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&threads[k], NULL, work, k == 0 ? role : NULL);
    play(in_main);
    for (int k = 0; k < 2; k++)
        pthread_join(threads[k], NULL);
    return 0;
}
