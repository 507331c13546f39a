/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes: a program under test must not start any. And what it asks about its threads. */
#include "base/vec.h"
#include "rt/hook.h"
#include "rt/start.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void refuse(const char *what, const void *pc)
{
    if (engine_active)
        engine_give_up(pc, "%s", what);
}

REFUSE(pid_t, fork, (), "fork", void)
REFUSE(pid_t, _Fork, (), "fork", void)

/* A function around vfork would return twice in a frame that is gone: fork does the same. */
EXPORT pid_t vfork(void)
{
    refuse("vfork", CALLER);
    return NEXT(fork)();
}

REFUSE(int, system, (command), "system", const char *command)

REFUSE(FILE *, popen, (command, mode), "popen", const char *command, const char *mode)

REFUSE(int, daemon, (keep_directory, keep_files), "daemon", int keep_directory, int keep_files)
REFUSE(int, posix_spawn, (pid, path, actions, attr, argv, environment), "posix_spawn", pid_t *pid,
       const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
       char *const argv[], char *const environment[])
REFUSE(int, posix_spawnp, (pid, file, actions, attr, argv, environment), "posix_spawn", pid_t *pid,
       const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
       char *const argv[], char *const environment[])

/* ------------------------------------------------------------------ exec */

REFUSE(int, execve, (path, argv, environment), "exec", const char *path, char *const argv[],
       char *const environment[])
REFUSE(int, execv, (path, argv), "exec", const char *path, char *const argv[])
REFUSE(int, execvp, (file, argv), "exec", const char *file, char *const argv[])
REFUSE(int, execvpe, (file, argv, environment), "exec", const char *file, char *const argv[],
       char *const environment[])
REFUSE(int, fexecve, (fd, argv, environment), "exec", int fd, char *const argv[], char *const environment[])

typedef VEC(char *) argument_list;

static void read_arguments(argument_list *list, const char *first, va_list *args)
{
    vec_push(list, (char *)first);
    while (vec_last(list))
        vec_push(list, va_arg(*args, char *));
}

#define WITH_LIST(call)                  \
    argument_list list = {0};            \
    va_list args;                        \
    refuse("exec", CALLER);              \
    va_start(args, first);               \
    read_arguments(&list, first, &args); \
    int result = call;                   \
    va_end(args);                        \
    vec_free(&list);                     \
    return result

EXPORT int execl(const char *path, const char *first, ...)
{
    WITH_LIST(NEXT(execv)(path, list.data));
}
EXPORT int execlp(const char *file, const char *first, ...)
{
    WITH_LIST(NEXT(execvp)(file, list.data));
}
EXPORT int execle(const char *path, const char *first, ...)
{
    WITH_LIST(NEXT(execve)(path, list.data, va_arg(args, char **)));
}

/* ------------------------------------------------------------------ about a thread */

enum { NAME_SIZE = 16 };

/* Of the threads that were given one in this execution. */
static char names[CLOCKS_THREADS_MAX][NAME_SIZE];
static bool any_name;

BEFORE_EACH_EXECUTION(names_reset)
{
    if (any_name)
        real.memset(names, 0, sizeof names);
    any_name = false;
}

static unsigned number_of(pthread_t thread)
{
    return (unsigned)thread - 1; /* handles are numbers that begin with 1 */
}

REPLACE_BY(int, pthread_setname_np, (thread, text), pthread_t thread, const char *text)
{
    size_t length = strlen(text);
    if (length >= NAME_SIZE)
        return ERANGE;
    if (number_of(thread) >= CLOCKS_THREADS_MAX)
        return ESRCH;
    any_name = true;
    real.memcpy(names[number_of(thread)], text, length + 1);
    return 0;
}

REPLACE(int, pthread_setaffinity_np, (thread, size, set), 0, pthread_t thread, size_t size,
        const cpu_set_t *set)
REPLACE(int, pthread_setschedparam, (thread, policy, p), 0, pthread_t thread, int policy,
        const struct sched_param *p)
REPLACE(int, pthread_setschedprio, (thread, priority), 0, pthread_t thread, int priority)

REPLACE_BY(int, pthread_getname_np, (thread, buffer, size), pthread_t thread, char *buffer, size_t size)
{
    unsigned number = number_of(thread);
    const char *given = number < CLOCKS_THREADS_MAX ? names[number] : "";
    char name[NAME_SIZE];
    size_t room = (size_t)(*given ? snprintf(name, sizeof name, "%s", given)
                                  : snprintf(name, sizeof name, "T%u", number)) +
                  1;
    engine_note_answer("pthread_getname_np", CALLER);
    if (room > size)
        return ERANGE;
    engine_plain((uint64_t)buffer, room, true, CALLER);
    real.memcpy(buffer, name, room);
    return 0;
}

REPLACE_BY(int, pthread_getaffinity_np, (thread, size, set), pthread_t thread, size_t size, cpu_set_t *set)
{
    CPU_ZERO_S(size, set);
    CPU_SET_S(0, size, set);
    return 0;
}

REPLACE_BY(int, pthread_getschedparam, (thread, policy, p), pthread_t thread, int *policy,
           struct sched_param *p)
{
    *policy = SCHED_OTHER;
    *p = (struct sched_param){0};
    return 0;
}

REPLACE_BY(int, pthread_getattr_np, (thread, attr), pthread_t thread, pthread_attr_t *attr)
{
    uint64_t number = number_of(thread);
    void *from;
    size_t size;
    if (!engine_find_stack(number, &from, &size))
        return ESRCH;
    engine_plain((uint64_t)attr, sizeof *attr, true, CALLER);
    int error = pthread_attr_init(attr);
    return error ? error : pthread_attr_setstack(attr, from, size);
}

REPLACE_BY(int, pthread_getcpuclockid, (thread, clock), pthread_t thread, clockid_t *clock)
{
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

REFUSE(int, pthread_cancel, (thread), "pthread_cancel", pthread_t thread)
