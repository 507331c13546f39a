/* SPDX-License-Identifier: Apache-2.0 */
#include "target/launch.h"

#include "base/memory.h"
#include "target/leftovers.h"
#include "target/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    FIRST_OWN_DESCRIPTOR = 16,
    /* Bytes read at once: a program that prints forever is watched all the same */
    DRAIN_MOST = 1 << 20,
    OUTPUT_MOST = 1 << 16,
};

/* Descriptors of ours, all closed on exec; those that the program gets are copied to their numbers. */
struct channels {
    int input, output_read, output_write, failure_read, failure_write;
};

int launch_move_up(int descriptor)
{
    if (descriptor < 0)
        return -1;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_OWN_DESCRIPTOR);
    int error = errno;
    close(descriptor);
    errno = error;
    return moved;
}

void launch_close(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static bool open_pipe(int *read_end, int *write_end)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    *read_end = launch_move_up(ends[0]);
    *write_end = launch_move_up(ends[1]);
    return *read_end >= 0 && *write_end >= 0;
}

static bool open_channels(struct channels *c)
{
    *c = (struct channels){-1, -1, -1, -1, -1};
    c->input = launch_move_up(open("/dev/null", O_RDONLY | O_CLOEXEC));
    return c->input >= 0 && open_pipe(&c->output_read, &c->output_write) &&
           open_pipe(&c->failure_read, &c->failure_write) && fcntl(c->output_read, F_SETFL, O_NONBLOCK) == 0;
}

static void close_channels(struct channels *c)
{
    int error = errno;
    launch_close(&c->input);
    launch_close(&c->output_read);
    launch_close(&c->output_write);
    launch_close(&c->failure_read);
    launch_close(&c->failure_write);
    errno = error;
}

/* --- in the child, between fork and exec: system calls only --------------------------------------- */

static void go_first(void)
{
    prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); /* else an ordinary user may not say so (sandbox_begin) */
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t written = write(file, "1000", 4);
    (void)written; /* it is a wish */
    close(file);
}

static bool give(const struct launch *l, const struct channels *c)
{
    bool ready = dup2(c->input, 0) >= 0 && dup2(c->output_write, 1) >= 0 && dup2(c->output_write, 2) >= 0;
    int next = LAUNCH_DESCRIPTOR;
    for (int k = 0; k < LAUNCH_GIVEN_MAX; k++)
        if (l->given[k] >= 0)
            ready = dup2(l->given[k], next++) >= 0 && ready;
    /* What the tool inherited and others opened is not for the program. Kernels before 5.11 cannot do this. */
    syscall(SYS_close_range, next, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */);
    return ready;
}

/* Returns when the program cannot be started. */
static void become_program(const struct launch *l, const struct channels *c, char *const *arguments,
                           char *const *environment)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    /* Refused in some containers; addresses then differ between runs, which a replay notices by its event hash. */
    if (l->same_addresses)
        personality((unsigned)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
    if (l->first_to_go)
        go_first();
    if (give(l, c) && sandbox_enter())
        execve(l->path, arguments, environment);
}

/* --- in the tool ---------------------------------------------------------------------------------- */

/* Functions that libraries call are looked up before anything is run: what the first call of each one would leave on the stack otherwise
 * distinguishes the first execution from the others (docs/internals/explore/loops.md). */
#define BINDING "LD_BIND_NOW"

static bool sets(const char *setting, const char *variable)
{
    size_t length = strlen(variable);
    return strncmp(setting, variable, length) == 0 && setting[length] == '=';
}

/* The environment with the variable, whose setting is put into `setting`. */
static char **make_environment(const char *variable, struct text *setting)
{
    static char binding[] = BINDING "=1";
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **made = NEW_ARRAY(char *, count + 3);
    for (size_t i = 0; i < count; i++)
        if (!sets(environ[i], variable) && !sets(environ[i], BINDING))
            made[kept++] = environ[i];
    text_printf(setting, "%s=%d", variable, LAUNCH_DESCRIPTOR);
    made[kept++] = setting->data;
    made[kept++] = binding;
    made[kept] = NULL;
    return made;
}

static char **make_arguments(const char *path, const char *const *given)
{
    size_t count = 0;
    while (given && given[count])
        count++;
    char **made = NEW_ARRAY(char *, count + 2);
    made[0] = (char *)path;
    for (size_t i = 0; i < count; i++)
        made[i + 1] = (char *)given[i];
    made[count + 1] = NULL;
    return made;
}

/* A successful exec closes the pipe: nothing to read then. */
static bool exec_failed(const struct channels *c, int *failure)
{
    ssize_t got;
    while ((got = read(c->failure_read, failure, sizeof *failure)) < 0 && errno == EINTR) {
    }
    return got != 0;
}

static pid_t start(const struct launch *l, struct channels *c)
{
    OWNED struct text setting = {0};
    OWNED char **environment = make_environment(l->variable, &setting),
               **arguments = make_arguments(l->path, l->arguments);
    int failure = 0;
    pid_t pid = leftovers_fork();
    if (pid == 0) {
        become_program(l, c, arguments, environment);
        failure = errno;
        if (write(c->failure_write, &failure, sizeof failure) < 0)
            _exit(126);
        _exit(127);
    }
    if (pid < 0)
        failure = errno;
    launch_close(&c->failure_write);
    if (pid > 0 && exec_failed(c, &failure)) {
        leftovers_end_group(pid);
        pid = -1;
    }
    errno = failure;
    return pid;
}

pid_t launch_program(const struct launch *l, int *output)
{
    struct channels c;
    pid_t pid = open_channels(&c) ? start(l, &c) : -1;
    *output = -1;
    if (pid > 0) {
        *output = c.output_read;
        c.output_read = -1;
    }
    close_channels(&c);
    return pid;
}

bool launch_has_ended(pid_t pid, siginfo_t *ended)
{
    *ended = (siginfo_t){0};
    while (waitid(P_PID, (id_t)pid, ended, WEXITED | WNOWAIT | WNOHANG) < 0 && errno == EINTR) {
    }
    return ended->si_pid == pid;
}

double launch_processor_seconds(pid_t pid)
{
    clockid_t clock;
    struct timespec used;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return 0;
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static void keep_output(struct launch_output *o, const char *bytes, size_t length)
{
    struct text *t = &o->text;
    text_add(t, bytes, length);
    if (t->len <= OUTPUT_MOST)
        return;
    size_t more = t->len - OUTPUT_MOST;
    memmove(t->data, t->data + more, OUTPUT_MOST + 1);
    t->len = OUTPUT_MOST;
    o->lost += more;
}

void launch_read_output(struct launch_output *o)
{
    char buffer[1 << 14];
    for (size_t total = 0; o->descriptor >= 0 && total < DRAIN_MOST;) {
        ssize_t got = read(o->descriptor, buffer, sizeof buffer);
        if (got > 0) {
            keep_output(o, buffer, (size_t)got);
            total += (size_t)got;
        } else if (got == 0) {
            launch_close(&o->descriptor);
        } else if (errno != EINTR) {
            return;
        }
    }
}
