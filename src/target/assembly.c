/* SPDX-License-Identifier: Apache-2.0 */
#include "target/assembly.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* "lock xadd ..." on x86, and xchg with memory, which locks by itself; exclusive and atomic accesses on aarch64. */
static bool is_atomic(const char *line)
{
    const char *code = strrchr(line, '\t'); /* address, then the instruction */
    const char *mnemonic = code ? code + 1 : line;
    if (strstr(line, "\tlock ") || strstr(mnemonic, "ldxr") || strstr(mnemonic, "ldaxr") ||
        strstr(mnemonic, "stlxr"))
        return true;
    return strncmp(mnemonic, "xchg", 4) == 0 && strchr(mnemonic, '(');
}

static bool read_listing(int fd)
{
    FILE *listing = fdopen(fd, "r");
    char line[512];
    bool found = false;
    while (listing && fgets(line, sizeof line, listing))
        found |= is_atomic(line);
    if (listing)
        fclose(listing);
    return found;
}

bool assembly_has_atomics(const char *path)
{
    int ends[2], status = -1;
    pid_t child;
    posix_spawn_file_actions_t actions;
    const char *const words[] = {"objdump", "-d", "--no-show-raw-insn", "-j", ".text", path, NULL};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return true;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    bool started = posix_spawnp(&child, words[0], &actions, NULL, (char *const *)words, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    bool found = read_listing(ends[0]);
    while (started && waitpid(child, &status, 0) < 0)
        continue;
    return found || !started || status != 0;
}
