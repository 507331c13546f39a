/* SPDX-License-Identifier: Apache-2.0 */
/* --sandbox: what its filter answers to every system call, in theory and in a process that it confines, as root and as somebody else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "support/sandbox_list.h"
#include "target/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, VERSION_SCOPES = 6 };

static long landlock_version(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/* ------------------------------------------------------------------ the list */

#if defined(__x86_64__)
#define GOLDEN "tests/data/sandbox/x86_64.txt"
#else
#define GOLDEN "tests/data/sandbox/aarch64.txt"
#endif

/* Without the names of calls, which are for readers. */
static char *read_golden(void)
{
    FILE *file = fopen(GOLDEN, "re");
    struct text t = {0};
    char line[256];
    unsigned number;
    int name;
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%u %*s %n", &number, &name) == 1)
            text_printf(&t, "%u %s", number, line + name);
        else
            text_puts(&t, line);
    fclose(file);
    return text_take(&t);
}

static char *list(bool scoped)
{
    char *made = NULL;
    size_t size;
    FILE *to = open_memstream(&made, &size);
    sandbox_list_print(to, scoped);
    fclose(to);
    return made;
}

static void test_list(void **state)
{
    (void)state;
    char *golden = read_golden(), *made = list(false);
    assert_string_equal(made, golden);
    free(golden);
    free(made);
}

/* Where signals are kept within the program by Landlock, these are permitted, too, and nothing else differs. */
static bool is_scoped(const char *line)
{
    static const char *const all[] = {
        "kill another: permitted",
        "tgkill another: permitted",
        "tkill another: permitted",
        "rt_sigqueueinfo another: permitted",
        "rt_tgsigqueueinfo another: permitted",
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(line, all[k]) == 0)
            return true;
    return false;
}

static void test_scoped(void **state)
{
    (void)state;
    char *unscoped = list(false), *scoped = list(true), *left_rest, *right_rest;
    char *left = strtok_r(unscoped, "\n", &left_rest), *right = strtok_r(scoped, "\n", &right_rest);
    unsigned differing = 0;
    for (; left && right;
         left = strtok_r(NULL, "\n", &left_rest), right = strtok_r(NULL, "\n", &right_rest)) {
        bool same = strcmp(left, right) == 0;
        differing += !same;
        assert_true(same || is_scoped(right));
    }
    assert_true(!left && !right && differing == 5);
    free(unscoped);
    free(scoped);
}

/* ------------------------------------------------------------------ in a confined process */

static void become_nobody(void)
{
    if (getuid() == 0 && (syscall(SYS_setgroups, 0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
        _exit(90);
}

static void confine(void)
{
    struct diagnostic why;
    if (!sandbox_begin(&why) || !sandbox_enter())
        _exit(91);
}

/* Runs it in a confined process: 0, or what is wrong. */
static int run_confined(bool as_nobody, int (*body)(void))
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (as_nobody)
            become_nobody();
        confine();
        _exit(body());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status);
}

static void run_twice(int (*body)(void))
{
    assert_int_equal(run_confined(false, body), 0);
    assert_int_equal(run_confined(true, body), 0);
}

/* The kernel answers its own probes before any filter: by a signal, unless one is set. */
static bool is_probe(uint32_t number)
{
#if defined(__x86_64__)
    return number == 335 || number == 336; /* uretprobe, uprobe */
#else
    return number == UINT32_MAX;
#endif
}

/* Every call that is refused whatever its arguments are. None of these does anything if it is not. */
static int try_all(void)
{
    static struct sandbox_filter f;
    static const uint64_t ones[SANDBOX_LIST_ARGUMENTS] = {UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                                          UINT64_MAX, UINT64_MAX, UINT64_MAX};
    sandbox_filter_build(&f, landlock_version() >= VERSION_SCOPES);
    for (uint32_t number = 0; number < SANDBOX_LIST_NUMBERS; number++) {
        int expected = sandbox_list_answer(&f, SANDBOX_LIST_ARCHITECTURE, number, ones);
        if (!expected || is_probe(number))
            continue;
        errno = 0;
        if (syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) != -1 || errno != expected) {
            fprintf(stderr, "call %u: %s, expected %s\n", number, strerrorname_np(errno),
                    strerrorname_np(expected));
            return 1;
        }
    }
    return 0;
}

static void test_all(void **state)
{
    (void)state;
    run_twice(try_all);
}

/* ------------------------------------------------------------------ attacks on a process outside */

static struct victim {
    pid_t process;
    int segment, priority;
    char file[64];
    char secret[32];
} victim;

static bool fails(long result, int error)
{
    return result == -1 && errno == error;
}

/* Numbers of the lines that are wrong. */
#define MUST(condition)     \
    if (!(condition)) {     \
        perror(#condition); \
        return 1;           \
    }

static int attack_signals(void)
{
    int ends[2];
    union sigval value = {0};
    MUST(kill(victim.process, SIGKILL) == -1 && errno == EPERM);
    MUST(kill(victim.process, SIGSTOP) == -1);
    MUST(kill(getppid(), SIGCONT) == -1);
    MUST(kill(-1, SIGCONT) == -1);
    MUST(syscall(SYS_tgkill, victim.process, victim.process, SIGKILL) == -1);
    MUST(syscall(SYS_tkill, victim.process, SIGKILL) == -1);
    MUST(sigqueue(victim.process, SIGKILL, value) == -1);
    MUST(pipe(ends) == 0);
    MUST(fails(fcntl(ends[0], F_SETOWN, victim.process), EPERM));
    MUST(fails(fcntl(ends[0], F_SETSIG, SIGKILL), EPERM));
    MUST(fails(fcntl(ends[0], F_SETFL, O_ASYNC), EPERM));
    MUST(kill(getpid(), 0) == 0 && raise(0) == 0);
    return 0;
}

static int attack_schedule(void)
{
    cpu_set_t set;
    struct rlimit none = {0, 0};
    struct sched_param p = {0};
    MUST(sched_getaffinity(0, sizeof set, &set) == 0);
    MUST(fails(setpriority(PRIO_PROCESS, (id_t)victim.process, 19), EPERM));
    MUST(fails(setpriority(PRIO_USER, 0, 19), EPERM));
    MUST(fails(sched_setaffinity(victim.process, sizeof set, &set), EPERM));
    MUST(fails(sched_setscheduler(victim.process, SCHED_BATCH, &p), EPERM));
    MUST(fails(prlimit(victim.process, RLIMIT_CPU, &none, NULL), EPERM));
    MUST(sched_setaffinity(0, sizeof set, &set) == 0);
    MUST(setpriority(PRIO_PROCESS, 0, 19) == 0);
    return 0;
}

static int attack_memory(void)
{
    char stolen[32] = "", path[64];
    struct iovec from = {victim.secret, sizeof stolen}, to = {stolen, sizeof stolen};
    MUST(fails(ptrace(PTRACE_ATTACH, victim.process, NULL, NULL), EPERM));
    MUST(fails(process_vm_readv(victim.process, &to, 1, &from, 1, 0), EPERM));
    MUST(fails(syscall(SYS_kcmp, getpid(), victim.process, 0, 0, 0), EPERM));
    MUST(fails(syscall(SYS_pidfd_open, victim.process, 0), ENOSYS));
    if (landlock_version() < 1)
        return 0;
    snprintf(path, sizeof path, "/proc/%d/mem", victim.process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    MUST(file < 0 || pread(file, stolen, sizeof stolen, (off_t)(uintptr_t)victim.secret) <= 0);
    snprintf(path, sizeof path, "/proc/%d/environ", victim.process);
    file = open(path, O_RDONLY | O_CLOEXEC);
    MUST(file < 0 || read(file, stolen, sizeof stolen) <= 0);
    return 0;
}

static int attack_shared(void)
{
    MUST(fails(shmctl(victim.segment, IPC_RMID, NULL), EPERM));
    MUST(shmat(victim.segment, NULL, 0) == (void *)-1 && errno == EPERM);
    MUST(fails(shmget(IPC_PRIVATE, 4096, 0600), EPERM));
    return 0;
}

static int attack_files(void)
{
    int file = open(victim.file, O_RDONLY | O_CLOEXEC);
    MUST(file >= 0);
    MUST(fails(flock(file, LOCK_EX), EPERM));
    MUST(fails(open(victim.file, O_WRONLY | O_CLOEXEC), EACCES));
    MUST(fails(truncate(victim.file, 0), EACCES));
    MUST(fails(unlink(victim.file), EACCES));
    MUST(fails(fchmod(file, 0), EACCES));
    return 0;
}

/* Threads, children and memory of its own work as they do outside. */
static int work_inside(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        _exit(7);
    MUST(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
    int memory = memfd_create("own", MFD_CLOEXEC);
    MUST(memory >= 0 && ftruncate(memory, 4096) == 0 && write(memory, "x", 1) == 1);
    MUST(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0) != MAP_FAILED);
    return 0;
}

/* A child is its own to end, where Landlock keeps signals within. */
static int end_child(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    MUST(kill(child, SIGKILL) == 0 && waitpid(child, &status, 0) == child);
    return 0;
}

static int begin_victim(void **state)
{
    (void)state;
    int file;
    snprintf(victim.file, sizeof victim.file, "/tmp/test_sandbox.XXXXXX");
    victim.segment = shmget(IPC_PRIVATE, 4096, 0666 | IPC_CREAT);
    file = mkstemp(victim.file);
    if (victim.segment < 0 || file < 0 || fchmod(file, 0666) != 0 || write(file, "kept", 4) != 4)
        return -1;
    close(file);
    strcpy(victim.secret, "a secret");
    victim.priority = getpriority(PRIO_PROCESS, 0);
    victim.process = fork();
    if (victim.process == 0)
        for (;;)
            pause();
    return victim.process > 0 ? 0 : -1;
}

static int end_victim(void **state)
{
    (void)state;
    kill(victim.process, SIGKILL);
    waitpid(victim.process, NULL, 0);
    shmctl(victim.segment, IPC_RMID, NULL);
    return unlink(victim.file);
}

static void test_attacks(void **state)
{
    (void)state;
    struct shmid_ds about;
    run_twice(attack_signals);
    run_twice(attack_schedule);
    run_twice(attack_memory);
    run_twice(attack_shared);
    run_twice(attack_files);
    assert_int_equal(waitpid(victim.process, NULL, WNOHANG), 0);
    assert_int_equal(shmctl(victim.segment, IPC_STAT, &about), 0);
    assert_int_equal(getpriority(PRIO_PROCESS, (id_t)victim.process), victim.priority);
    assert_int_equal(access(victim.file, F_OK), 0);
}

static void test_inside(void **state)
{
    (void)state;
    run_twice(work_inside);
    if (landlock_version() >= VERSION_SCOPES)
        run_twice(end_child);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_scoped),
        cmocka_unit_test(test_all),
        cmocka_unit_test_setup_teardown(test_attacks, begin_victim, end_victim),
        cmocka_unit_test(test_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
