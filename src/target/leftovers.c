/* SPDX-License-Identifier: Apache-2.0 */
#include "target/leftovers.h"

#include "base/check.h"
#include "base/interruption.h"
#include "base/memory.h"
#include "base/temporary_folder.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GROUPS_MAX = 1024, FOLDERS_MAX = 64, ORPHAN_ROUNDS = 1000 };

/* Changed only while the signals below are blocked, so that the handler never sees a half-done change. */
static pid_t groups[GROUPS_MAX];
static char *folders[FOLDERS_MAX];
static int locks[FOLDERS_MAX]; /* a descriptor of each, which says that it is in use (temporary_folder.h) */
static pid_t owner;            /* a process forked off somewhere else cleans up nothing */

static const int deadly[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,   SIGPIPE,
                             SIGALRM, SIGXCPU, SIGUSR1, SIGVTALRM, SIGUSR2};
enum { DEADLY = sizeof deadly / sizeof *deadly };

static void (*at_alarm)(void);

static void kill_group(pid_t group)
{
    kill(-group, SIGKILL);
    if (waitpid(group, NULL, WNOHANG) == 0) /* on its way out, or not yet the leader of its group */
        kill(group, SIGKILL);
    while (waitpid(group, NULL, 0) < 0 && errno == EINTR) {
    }
    while (waitpid(-group, NULL, 0) > 0 || errno == EINTR) {
    }
}

static bool is_group(pid_t number)
{
    for (int i = 0; i < GROUPS_MAX; i++) {
        if (groups[i] && groups[i] == number)
            return true;
    }
    return false;
}

/* Kills the processes named in a list of our children that are orphans: groups of ours live in sessions of their own,
 * so that every other child in another session than ours was left by one of them. True: there were some. */
static bool kill_orphans(const char *list, const char *end)
{
    bool killed = false;
    for (pid_t number = 0; list < end; list++) {
        if (*list >= '0' && *list <= '9') {
            number = number * 10 + (*list - '0');
            continue;
        }
        if (number && !is_group(number) && getsid(number) != getsid(0)) {
            kill(number, SIGKILL);
            while (waitpid(number, NULL, 0) < 0 && errno == EINTR) {
            }
            killed = true;
        }
        number = 0;
    }
    return killed;
}

/* What left its group and lost its parent has become our child. The end of one brings its own children to us: looks
 * again until there are none, or until a program that makes them faster has won. */
static void end_orphans(void)
{
    char list[4096];
    siginfo_t any;
    bool again = waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) == 0; /* else there are no children */
    for (int rounds = 0; again && rounds < ORPHAN_ROUNDS; rounds++) {
        int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
        ssize_t length = file >= 0 ? read(file, list, sizeof list) : -1;
        if (file >= 0)
            close(file);
        again = length > 0 && kill_orphans(list, list + length);
    }
}

void leftovers_clean_up(void)
{
    if (getpid() != owner)
        return;
    for (int i = 0; i < GROUPS_MAX; i++) {
        if (groups[i])
            kill_group(groups[i]);
    }
    end_orphans();
    for (int i = 0; i < FOLDERS_MAX; i++) {
        if (folders[i])
            temporary_folder_remove(folders[i]);
    }
}

/* A program under test does not end the tool. Its processes stay zombies until their group is done with. */
static bool is_from_worker(const siginfo_t *info)
{
    return info->si_code == SI_USER && info->si_pid > 0 && is_group(getsid(info->si_pid));
}

static void on_deadly_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    int error = errno;
    if (number == SIGALRM && info->si_code == SI_KERNEL && at_alarm)
        at_alarm();
    if (!is_from_worker(info)) {
        leftovers_clean_up();
        signal(number, SIG_DFL);
        raise(number); /* takes effect when the handler returns */
    }
    errno = error;
}

static void fill_deadly(sigset_t *set)
{
    sigemptyset(set);
    for (int i = 0; i < DEADLY; i++)
        sigaddset(set, deadly[i]);
}

static sigset_t block_deadly(void)
{
    sigset_t all, before;
    fill_deadly(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    return before;
}

static void catch_deadly(void)
{
    struct sigaction action = {.sa_sigaction = on_deadly_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
    fill_deadly(&action.sa_mask);
    for (int i = 0; i < DEADLY; i++) {
        struct sigaction before;
        if (sigaction(deadly[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(deadly[i], &action, NULL);
    }
}

void leftovers_begin(void)
{
    if (owner == getpid())
        return;
    if (!owner)
        atexit(leftovers_clean_up);
    owner = getpid();
    memset(groups, 0, sizeof groups); /* what is there belongs to the process this one was forked from */
    memset(folders, 0, sizeof folders);
    /* Orphans of a worker come back to us, so that waiting for its group waits for them too. */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    catch_deadly();
    interruption_ignore(is_from_worker);
}

void leftovers_alarm(double seconds, void (*end)(void))
{
    time_t whole = (time_t)seconds;
    struct itimerval at = {
        .it_value = {.tv_sec = whole, .tv_usec = (suseconds_t)((seconds - (double)whole) * 1e6)}};
    leftovers_begin();
    at_alarm = end;
    setitimer(ITIMER_REAL, &at, NULL);
}

char *leftovers_make_folder(void)
{
    static bool swept; /* what killed runs left there: once */
    leftovers_begin();
    const char *chosen = getenv("TMPDIR");
    char *parent = realpath(chosen && *chosen ? chosen : "/tmp", NULL);
    if (!parent)
        return NULL;
    struct text path = {0};
    if (!swept)
        temporary_folders_sweep(parent);
    swept = true;
    text_printf(&path, "%s/" TEMPORARY_NAME, parent);
    free(parent);
    int slot = 0;
    while (slot < FOLDERS_MAX && folders[slot])
        slot++;
    CHECK(slot < FOLDERS_MAX);
    sigset_t before = block_deadly();
    locks[slot] = temporary_folder_make(path.data);
    char *made = locks[slot] >= 0 ? text_take(&path) : NULL;
    folders[slot] = made;
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    text_free(&path);
    errno = error;
    return made;
}

void leftovers_remove_folder(char *path)
{
    if (!path)
        return;
    temporary_folder_remove(path);
    sigset_t before = block_deadly();
    for (int i = 0; i < FOLDERS_MAX; i++) {
        if (folders[i] == path) {
            folders[i] = NULL;
            close(locks[i]);
        }
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    free(path);
}

static void become_child(const sigset_t *mask, pid_t parent)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    for (int i = 0; i < DEADLY; i++) {
        struct sigaction action;
        if (sigaction(deadly[i], NULL, &action) == 0 && action.sa_sigaction == on_deadly_signal)
            signal(deadly[i], SIG_DFL);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
}

pid_t leftovers_fork(void)
{
    leftovers_begin();
    int slot = 0;
    while (slot < GROUPS_MAX && groups[slot])
        slot++;
    if (slot == GROUPS_MAX) {
        errno = EAGAIN;
        return -1;
    }
    pid_t parent = getpid();
    sigset_t before = block_deadly();
    pid_t child = fork();
    if (child == 0) {
        become_child(&before, parent);
        return 0;
    }
    if (child > 0) {
        groups[slot] = child;
    }
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return child;
}

void leftovers_end_group(pid_t group)
{
    kill_group(group);
    sigset_t before = block_deadly();
    for (int i = 0; i < GROUPS_MAX; i++) {
        if (groups[i] == group)
            groups[i] = 0;
    }
    end_orphans();
    sigprocmask(SIG_SETMASK, &before, NULL);
}
