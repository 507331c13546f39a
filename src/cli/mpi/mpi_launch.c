/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/mpi/mpi_launch.h"

#include "cli/common/output.h"
#include "target/compdb/compdb.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODES = 200, CODE_BUG = CODES + 9 };
static const char ranks_word[] = "--ranks", launched_word[] = "--launched";
static volatile sig_atomic_t child;

bool mpi_launch_is_asked(char *const *argv)
{
    return argv[1] && strcmp(argv[1], ranks_word) == 0;
}

bool mpi_launch_is_rank(int *argc, char **argv)
{
    if (*argc < 2 || strcmp(argv[1], launched_word) != 0)
        return false;
    memmove(argv + 1, argv + 2, (size_t)(*argc - 1) * sizeof *argv);
    --*argc;
    return true;
}

int mpi_launch_code(int code)
{
    return code == EXIT_BUG ? CODE_BUG : CODES + code;
}

static void forward(int number)
{
    if (child > 0)
        kill((pid_t)child, number);
}

/* A process group of its own: from a terminal a signal would come to it twice, and mpirun gives up at the second one. */
static _Noreturn void become_mpirun(char *const *words)
{
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    setpgid(0, 0);
    execvp(words[0], words);
    _exit(127);
}

static int wait_for(pid_t pid)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = forward};
    int status = 0;
    child = pid;
    for (size_t k = 0; k < sizeof signals / sizeof *signals; k++)
        sigaction(signals[k], &action, NULL);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    child = 0;
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int answer_of(int code, const char *program)
{
    if (code == CODE_BUG)
        return EXIT_BUG;
    if (code >= CODES && code <= CODES + EXIT_CANNOT_RUN)
        return code - CODES;
    if (code == 127)
        return output_error(PL_CANNOT_RUN, "cannot start '%.100s'", program), EXIT_CANNOT_RUN;
    output_error(PL_CANNOT_RUN, "the ranks were ended before there was an answer ('%.100s': exit code %d)",
                 program, code);
    return EXIT_INCONCLUSIVE;
}

int mpi_launch(char **argv)
{
    const char *mpirun = getenv("PLUMB_MPIRUN");
    OWNED char *self = realpath("/proc/self/exe", NULL);
    struct words words = {0};
    if (!argv[2] || !*argv[2] || strspn(argv[2], "0123456789") != strlen(argv[2]))
        return output_error(PL_USAGE, "--ranks is followed by a number");
    compdb_split_command(&words, mpirun && *mpirun ? mpirun : "mpirun");
    command_add_word(&words, "%s", "-n");
    command_add_word(&words, "%s", argv[2]);
    command_add_word(&words, "%s", self ? self : argv[0]);
    command_add_word(&words, "%s", launched_word);
    for (char **word = argv + 3; *word; word++)
        command_add_word(&words, "%s", *word);
    vec_push(&words.list, NULL);
    pid_t pid = fork();
    if (pid == 0)
        become_mpirun(words.list.data);
    int code = answer_of(wait_for(pid), words.list.data[0]);
    command_free(&words);
    return code;
}
