/* SPDX-License-Identifier: Apache-2.0 */
/* Beside the checkpoint F there is F.lock while a run uses it: F itself is another file after each time that it is written. What a
 * killed run leaves is empty and belongs to the next one. */
#include "target/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is what was opened still the file of that name? The run before may just have removed it. */
static bool is_named(int file, const char *path)
{
    struct stat opened, named;
    return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

/* 1: it is ours, 0: try again, -1: with errno. A file system without locks has none. */
static int try_lock(struct checkpoint_lock *l)
{
    l->file = open(l->path.data, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (l->file < 0)
        return -1;
    bool taken = flock(l->file, LOCK_EX | LOCK_NB) == 0;
    if (!taken && errno != EWOULDBLOCK && errno != EINTR)
        return 1;
    if (taken && is_named(l->file, l->path.data))
        return 1;
    int error = errno;
    close(l->file);
    errno = error;
    return taken || error == EINTR ? 0 : -1;
}

bool checkpoint_lock(struct checkpoint_lock *l, const char *path, struct diagnostic *why)
{
    int taken;
    text_clear(&l->path);
    text_printf(&l->path, "%s.lock", path);
    while ((taken = try_lock(l)) == 0)
        ;
    l->is_held = taken > 0;
    if (l->is_held)
        return true;
    return errno == EWOULDBLOCK
               ? diagnostic_set(why, PL_BAD_CHECKPOINT, 0, 0,
                                "another run uses this checkpoint: wait for it, or name another file")
               : diagnostic_set(why, PL_CANNOT_OPEN, 0, 0, "cannot lock the checkpoint: '%.200s': %s",
                                l->path.data, strerror(errno));
}

void checkpoint_unlock(struct checkpoint_lock *l)
{
    struct stat status;
    if (l->is_held) {
        if (fstat(l->file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0)
            unlink(l->path.data);
        flock(l->file, LOCK_UN); /* children may have it, too */
        close(l->file);
    }
    l->is_held = false;
    text_free(&l->path);
}
