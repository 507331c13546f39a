/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/wrapper_process.h"

#include "base/shell_word.h"
#include "base/temporary_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *process_name = "plumb-cc";
static bool process_shows;
static char *work_folder; /* null: not made yet */
static volatile pid_t running_child;
static volatile sig_atomic_t deadly_signal;

void process_begin(const char *name, bool shows)
{
    process_name = name;
    process_shows = shows;
}

char *word_print(const char *format, ...)
{
    struct text word = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&word, format, args);
    va_end(args);
    return text_take(&word);
}

/* --- ends ---------------------------------------------------------------------------------------- */

/* A compiler that is ending, too, may still write there. */
static void remove_folder(void)
{
    if (!work_folder || process_shows)
        return;
    temporary_folder_remove(work_folder);
    if (access(work_folder, F_OK) == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 200 * 1000 * 1000}, NULL);
        temporary_folder_remove(work_folder);
    }
}

/* Ends as the signal would have ended plumb-cc. */
static void obey_signal(void)
{
    if (!deadly_signal)
        return;
    remove_folder();
    signal(deadly_signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, deadly_signal);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(deadly_signal);
}

void process_end(int code)
{
    obey_signal();
    remove_folder();
    fflush(NULL);
    _exit(code);
}

void process_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: error: ", process_name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    process_end(1);
}

static const int deadly_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU};
enum { DEADLY_SIGNALS = sizeof deadly_signals / sizeof *deadly_signals };

static void on_deadly_signal(int number)
{
    deadly_signal = number;
    if (running_child > 0)
        kill(running_child, number == SIGINT ? SIGINT : SIGTERM);
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_deadly_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < DEADLY_SIGNALS; i++) {
        struct sigaction before;
        if (sigaction(deadly_signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(deadly_signals[i], &action, NULL);
    }
}

/* --- the folder ---------------------------------------------------------------------------------- */

/* The lock on it stays with the compilers, which may outlive a plumb-cc that is killed. */
const char *process_folder(void)
{
    if (work_folder)
        return work_folder;
    const char *parent = getenv("TMPDIR");
    work_folder =
        word_print("%s/" TEMPORARY_COMPILER_NAME, parent && *parent && !process_shows ? parent : "/tmp");
    if (process_shows)
        return work_folder;
    catch_signals();
    int lock = temporary_folder_make(work_folder);
    if (lock < 0) {
        work_folder = NULL;
        process_die("cannot make a temporary folder: %s", strerror(errno));
    }
    fcntl(lock, F_SETFD, 0);
    setenv("TMPDIR", work_folder, 1);
    return work_folder;
}

/* --- commands ------------------------------------------------------------------------------------ */

static void show(const struct words *command)
{
    OWNED struct text line = {0};
    for (size_t i = 0; i < command->list.len; i++)
        shell_add_word(&line, command->list.data[i]);
    puts(line.data + 1);
}

static const char *const *close_list(const struct words *command)
{
    const char **list = NEW_ZEROED(const char *, command->list.len + 1);
    memcpy(list, command->list.data, command->list.len * sizeof *list);
    return list;
}

static pid_t spawn(const char *const *list, struct process_streams streams)
{
    const int from[] = {streams.input, streams.output, streams.error};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, caught;
    pid_t child;
    sigemptyset(&none);
    sigemptyset(&caught);
    for (int i = 0; i < DEADLY_SIGNALS; i++) {
        struct sigaction now;
        if (sigaction(deadly_signals[i], NULL, &now) == 0 && now.sa_handler == on_deadly_signal)
            sigaddset(&caught, deadly_signals[i]);
    }
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++)
        if (from[i] >= 0)
            posix_spawn_file_actions_adddup2(&actions, from[i], i);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &caught);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    int error = posix_spawnp(&child, list[0], &actions, &attributes, (char *const *)list, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error)
        process_die("cannot run %s: %s", list[0], strerror(error));
    return child;
}

int process_run(const struct words *command, struct process_streams streams)
{
    sigset_t all, before;
    int status = 0;
    if (process_shows) {
        show(command);
        return 0;
    }
    const char *const *list = close_list(command);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    obey_signal();
    running_child = spawn(list, streams);
    sigprocmask(SIG_SETMASK, &before, NULL);
    while (waitpid(running_child, &status, 0) < 0 && errno == EINTR) {
    }
    running_child = 0;
    free((void *)list);
    obey_signal();
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_run_plainly(const struct words *command)
{
    return process_run(command, PROCESS_OWN_STREAMS);
}

void process_become(const struct words *command)
{
    if (process_shows || work_folder)
        process_end(process_run_plainly(command));
    const char *const *list = close_list(command);
    execvp(list[0], (char *const *)list);
    process_die("cannot run %s: %s", list[0], strerror(errno));
}

int process_memory(void)
{
    int memory = memfd_create("plumb-cc", MFD_CLOEXEC);
    if (memory < 0)
        process_die("no memory for what a command says: %s", strerror(errno));
    return memory;
}

char *process_read(int memory)
{
    struct text content = {0};
    text_puts(&content, "");
    if (!text_add_file(&content, word_print("/proc/self/fd/%d", memory)))
        process_die("what a command says cannot be read: %s", strerror(errno));
    close(memory);
    return text_take(&content);
}

char *process_answer(const struct words *command, bool from_error)
{
    int memory = process_memory(), nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool shows = process_shows;
    process_shows = false;
    int ended = process_run(
        command, (struct process_streams){nothing, from_error ? nothing : memory, from_error ? memory : -1});
    process_shows = shows;
    char *said = process_read(memory);
    close(nothing);
    if (ended == 0)
        return said;
    free(said);
    return NULL;
}

void process_say(int memory)
{
    char *said = process_read(memory);
    fputs(said, stderr);
    free(said);
}
