/* SPDX-License-Identifier: Apache-2.0 */
/* Other processes: a program under test must not start any, and has a fixed identity itself. */
#include "base/vec.h"
#include "rt/hook.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void refuse(const char *what, const void *pc)
{
    if (engine_active)
        engine_give_up(pc, "%s", what);
}

EXPORT pid_t fork(void)
{
    refuse("fork", CALLER);
    return NEXT(fork)();
}

EXPORT pid_t _Fork(void)
{
    refuse("fork", CALLER);
    return NEXT(_Fork)();
}

/* A function around vfork would return twice in a frame that is gone: fork does the same. */
EXPORT pid_t vfork(void)
{
    refuse("vfork", CALLER);
    return NEXT(fork)();
}

EXPORT int system(const char *command)
{
    refuse("system", CALLER);
    return NEXT(system)(command);
}

EXPORT FILE *popen(const char *command, const char *mode)
{
    refuse("popen", CALLER);
    return NEXT(popen)(command, mode);
}

EXPORT int daemon(int keep_directory, int keep_files)
{
    refuse("daemon", CALLER);
    return NEXT(daemon)(keep_directory, keep_files);
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attr, char *const argv[], char *const environment[])
{
    refuse("posix_spawn", CALLER);
    return NEXT(posix_spawn)(pid, path, actions, attr, argv, environment);
}

EXPORT int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attr, char *const argv[], char *const environment[])
{
    refuse("posix_spawn", CALLER);
    return NEXT(posix_spawnp)(pid, file, actions, attr, argv, environment);
}

/* ------------------------------------------------------------------ exec */

EXPORT int execve(const char *path, char *const argv[], char *const environment[])
{
    refuse("exec", CALLER);
    return NEXT(execve)(path, argv, environment);
}

EXPORT int execv(const char *path, char *const argv[])
{
    refuse("exec", CALLER);
    return NEXT(execv)(path, argv);
}

EXPORT int execvp(const char *file, char *const argv[])
{
    refuse("exec", CALLER);
    return NEXT(execvp)(file, argv);
}

EXPORT int execvpe(const char *file, char *const argv[], char *const environment[])
{
    refuse("exec", CALLER);
    return NEXT(execvpe)(file, argv, environment);
}

EXPORT int fexecve(int fd, char *const argv[], char *const environment[])
{
    refuse("exec", CALLER);
    return NEXT(fexecve)(fd, argv, environment);
}

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

/* ------------------------------------------------------------------ identity */

enum { PROCESS = 1000 };

EXPORT pid_t getpid(void)
{
    return engine_active ? PROCESS : NEXT(getpid)();
}
EXPORT pid_t getppid(void)
{
    return engine_active ? PROCESS - 1 : NEXT(getppid)();
}
EXPORT pid_t gettid(void)
{
    if (!engine_active)
        return NEXT(gettid)();
    engine_distinguish_threads();
    return PROCESS + (pid_t)engine_current();
}

EXPORT int kill(pid_t pid, int number)
{
    if (!engine_active)
        return NEXT(kill)(pid, number);
    if (pid == PROCESS || pid == 0)
        return number ? raise(number) : 0;
    refuse("kill of another process", CALLER);
    return -1;
}

EXPORT int sched_getcpu(void)
{
    return engine_active ? 0 : NEXT(sched_getcpu)();
}

/* ------------------------------------------------------------------ about a thread */

#define IGNORED(name, parameters, arguments)             \
    EXPORT int name parameters                           \
    {                                                    \
        return engine_active ? 0 : NEXT(name) arguments; \
    }

IGNORED(pthread_setname_np, (pthread_t thread, const char *text), (thread, text))
IGNORED(pthread_setaffinity_np, (pthread_t thread, size_t size, const cpu_set_t *set), (thread, size, set))
IGNORED(pthread_setschedparam, (pthread_t thread, int policy, const struct sched_param *p),
        (thread, policy, p))
IGNORED(pthread_setschedprio, (pthread_t thread, int priority), (thread, priority))

EXPORT int pthread_getname_np(pthread_t thread, char *buffer, size_t size)
{
    if (!engine_active)
        return NEXT(pthread_getname_np)(thread, buffer, size);
    char name[16];
    size_t room = (size_t)snprintf(name, sizeof name, "T%u", (unsigned)thread - 1) + 1;
    if (room > size)
        return ERANGE;
    engine_plain((uint64_t)buffer, room, true, CALLER);
    real.memcpy(buffer, name, room);
    return 0;
}

EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set)
{
    if (!engine_active)
        return NEXT(pthread_getaffinity_np)(thread, size, set);
    CPU_ZERO_S(size, set);
    CPU_SET_S(0, size, set);
    return 0;
}

EXPORT int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *p)
{
    if (!engine_active)
        return NEXT(pthread_getschedparam)(thread, policy, p);
    *policy = SCHED_OTHER;
    *p = (struct sched_param){0};
    return 0;
}

EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    if (!engine_active)
        return NEXT(pthread_getattr_np)(thread, attr);
    uint64_t number = (uint64_t)thread - 1; /* handles are numbers that begin with 1 */
    void *from;
    size_t size;
    if (!engine_find_stack(number, &from, &size))
        return ESRCH;
    engine_plain((uint64_t)attr, sizeof *attr, true, CALLER);
    int error = pthread_attr_init(attr);
    return error ? error : pthread_attr_setstack(attr, from, size);
}

EXPORT int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
    if (!engine_active)
        return NEXT(pthread_getcpuclockid)(thread, clock);
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

EXPORT int pthread_cancel(pthread_t thread)
{
    refuse("pthread_cancel", CALLER);
    return NEXT(pthread_cancel)(thread);
}
