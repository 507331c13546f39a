/* SPDX-License-Identifier: Apache-2.0 */
#include "base/temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRIES = 100, DEPTH_MAX = 32 };

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

int temporary_folder_make(char *pattern)
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

static bool is_named(const char *name, const char *pattern)
{
    size_t length = strlen(pattern);
    return strlen(name) == length && strncmp(name, pattern, length - strlen("XXXXXX")) == 0;
}

static bool remove_entry(int folder, const char *name, int depth);

/* True: something was removed. */
static bool remove_entries(int folder, int depth)
{
    _Alignas(struct dirent64) char buffer[2048];
    bool removed = false;
    long bytes;
    lseek(folder, 0, SEEK_SET);
    while ((bytes = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0) {
        for (long at = 0; at < bytes;) {
            const struct dirent64 *entry = (const struct dirent64 *)(buffer + at);
            at += entry->d_reclen;
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                removed |= remove_entry(folder, entry->d_name, depth);
        }
    }
    return removed;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the folders are */
static bool remove_entry(int folder, const char *name, int depth)
{
    if (unlinkat(folder, name, 0) == 0)
        return true;
    if ((errno != EISDIR && errno != EPERM) || depth == DEPTH_MAX)
        return false;
    int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inner < 0)
        return false;
    while (unlinkat(folder, name, AT_REMOVEDIR) != 0 && errno != ENOENT) {
        if (!remove_entries(inner, depth + 1)) {
            close(inner);
            return false;
        }
    }
    close(inner);
    return true;
}

bool temporary_folder_remove(const char *path)
{
    return remove_entry(AT_FDCWD, path, 0);
}

static void look_at(int parent, const char *name)
{
    struct stat status;
    int folder = open_folder(parent, name);
    if (folder < 0)
        return;
    if (fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
        faccessat(folder, marker, F_OK, 0) == 0 && lock(folder))
        remove_entry(parent, name, 0);
    close(folder);
}

void temporary_folders_sweep(const char *parent)
{
    DIR *list = opendir(parent);
    if (!list)
        return;
    for (const struct dirent *e; (e = readdir(list));)
        if (is_named(e->d_name, TEMPORARY_NAME) || is_named(e->d_name, TEMPORARY_COMPILER_NAME))
            look_at(dirfd(list), e->d_name);
    closedir(list);
}
