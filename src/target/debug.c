/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"
#include "target/ending.h"
#include "target/launch.h"
#include "target/tool_command.h"
#include "target/worker_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define HELPER "plumb-gdb.py"

typedef VEC(const char *) words;

static char *find_helper(void)
{
    OWNED char *folder = command_own_folder();
    return folder ? command_find_tool(folder, HELPER, R_OK) : NULL;
}

/* gdb reads its options in order: the user's come after the helper, and see its commands. */
static words make_command(const char *helper, char *const *options, size_t count, const char *path,
                          const char *const *arguments)
{
    words command = {0};
    const char *const first[] = {"gdb", "-q", "-x", helper};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        vec_push(&command, first[i]);
    for (size_t i = 0; i < count; i++)
        vec_push(&command, options[i]);
    vec_push(&command, "--args");
    vec_push(&command, path);
    for (size_t i = 0; arguments && arguments[i]; i++)
        vec_push(&command, arguments[i]);
    vec_push(&command, NULL);
    return command;
}

/* In the child. gdb stays in our process group, which has the terminal, and lets the program inherit the memory. */
static _Noreturn void become_gdb(const words *command, const char *variable, int memory, int failure_pipe)
{
    char number[16];
    const struct rlimit no_core = {0, 0};
    snprintf(number, sizeof number, "%d", WORKER_DESCRIPTOR);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGINT, SIG_DFL);
    signal(SIGQUIT, SIG_DFL);
    setrlimit(RLIMIT_CORE, &no_core);
    if (setenv(variable, number, 1) == 0 && dup2(memory, WORKER_DESCRIPTOR) >= 0)
        execvp(command->data[0], (char *const *)command->data);
    int failure = errno;
    if (write(failure_pipe, &failure, sizeof failure) < 0)
        _exit(126);
    _exit(127);
}

/* Starts gdb and waits for its end. 0, or the errno for which it could not be started. */
static int run_gdb(const words *command, const char *variable, int memory)
{
    int ends[2], failure = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    int failure_read = launch_move_up(ends[0]), failure_write = launch_move_up(ends[1]);
    fflush(NULL);
    /* Ctrl-C is for gdb and the program. */
    void (*interrupt)(int) = signal(SIGINT, SIG_IGN), (*leave)(int) = signal(SIGQUIT, SIG_IGN);
    pid_t child = failure_read < 0 || failure_write < 0 ? -1 : fork();
    if (child == 0)
        become_gdb(command, variable, memory, failure_write);
    if (child < 0)
        failure = errno;
    close(failure_write);
    if (child > 0 && read(failure_read, &failure, sizeof failure) < 0)
        failure = errno;
    close(failure_read);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    signal(SIGINT, interrupt);
    signal(SIGQUIT, leave);
    return failure;
}

static bool explain(struct diagnostic *why, int failure)
{
    *why = (struct diagnostic){0};
    if (failure == ENOENT)
        return diagnostic_set(why, PL_CANNOT_RUN, 0, 0, "gdb was not found: install it (Debian: gdb)");
    return diagnostic_set(why, PL_CANNOT_RUN, 0, 0, "cannot start gdb: %s", strerror(failure));
}

bool target_debug_memory(const struct target_program *program, const char *variable, int memory,
                         char *const *options, size_t count, struct diagnostic *why)
{
    char *helper = find_helper();
    if (!helper)
        return diagnostic_set(why, PL_CANNOT_RUN, 0, 0, "%s was not found beside this program", HELPER);
    words command = make_command(helper, options, count, program->path, program->arguments);
    int failure = memory < 0 ? errno : run_gdb(&command, variable, memory);
    vec_free(&command);
    free(helper);
    return !failure || explain(why, failure);
}

struct worker_shared *target_debug(const struct target_program *program, const struct target_run *run,
                                   char *const *options, size_t count, struct diagnostic *why)
{
    struct target_run debugged = *run;
    debugged.config.debugger = true;
    int memory = worker_memory_create();
    struct worker_shared *shared = memory < 0 ? NULL : worker_memory_map(memory, program, &debugged);
    bool fine = shared ? target_debug_memory(program, PROTOCOL_VARIABLE, memory, options, count, why)
                       : explain(why, errno);
    if (memory >= 0)
        close(memory);
    if (!fine) {
        worker_memory_unmap(shared);
        return NULL;
    }
    ending_repair(shared);
    return shared;
}

void target_debug_free(struct worker_shared *shared)
{
    worker_memory_unmap(shared);
}
