/* SPDX-License-Identifier: Apache-2.0 */
#include "target/stale_folders.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 100, DAY = 24 * 60 * 60 };

/* Locked, and still there: another run that cleans up may have been faster. */
static bool lock(int folder)
{
    struct stat status;
    return flock(folder, LOCK_EX | LOCK_NB) == 0 && fstat(folder, &status) == 0 && status.st_nlink > 0;
}

static int open_folder(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* What has no such file was not made by us, whatever its name is. */
static const char marker[] = ".plumb-temporary";

static bool mark(int folder)
{
    int file = openat(folder, marker, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0)
        close(file);
    return file >= 0;
}

int stale_make_folder(char *pattern)
{
    size_t end = strlen(pattern) - strlen("XXXXXX");
    for (int k = 0; k < TRIES; k++) {
        memcpy(pattern + end, "XXXXXX", 6);
        if (!mkdtemp(pattern))
            return -1;
        int folder = open_folder(AT_FDCWD, pattern);
        if (folder >= 0 && lock(folder) && mark(folder))
            return folder;
        int error = errno;
        if (folder >= 0)
            close(folder);
        if (rmdir(pattern) == 0) { /* else another run, which cleans up, was faster */
            errno = error;
            return -1;
        }
    }
    errno = EAGAIN;
    return -1;
}

static bool is_named(const char *name, const char *beginning)
{
    size_t length = strlen(beginning);
    return strncmp(name, beginning, length) == 0 && strlen(name) == length + 6;
}

/* plumb-cc, a script, holds a lock where it can; no compilation takes a day. */
static bool is_stale(const char *name, int folder, const struct stat *status)
{
    if (faccessat(folder, marker, F_OK, 0) != 0)
        return false;
    bool locked = is_named(name, "plumb-") || faccessat(folder, ".plumb-locked", F_OK, 0) == 0;
    return locked ? lock(folder) : status->st_mtime < time(NULL) - DAY;
}

static void look_at(int parent, const char *name, void (*remove)(int, const char *))
{
    struct stat status;
    int folder = open_folder(parent, name);
    if (folder < 0)
        return;
    if (fstat(folder, &status) == 0 && status.st_uid == geteuid() && is_stale(name, folder, &status))
        remove(parent, name);
    close(folder);
}

void stale_remove(const char *parent, void (*remove)(int folder, const char *name))
{
    DIR *list = opendir(parent);
    if (!list)
        return;
    for (const struct dirent *e; (e = readdir(list));)
        if (is_named(e->d_name, "plumb-") || is_named(e->d_name, "plumb-cc."))
            look_at(dirfd(list), e->d_name, remove);
    closedir(list);
}
