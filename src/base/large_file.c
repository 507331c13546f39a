/* SPDX-License-Identifier: Apache-2.0 */
#include "base/large_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

static bool add_all(struct text *t, int file)
{
    char buffer[1 << 16];
    ssize_t got;
    size_t added = 0;
    text_add(t, "", 0);
    while ((got = read(file, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR)) {
        added += got > 0 ? (size_t)got : 0;
        if (added > LARGE_FILE_MOST)
            return errno = EFBIG, false;
        if (got > 0)
            text_add(t, buffer, (size_t)got);
    }
    return got == 0;
}

_Bool text_add_large_file(struct text *t, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool fine = add_all(t, file);
    int error = errno;
    close(file);
    errno = error;
    return fine;
}

const char *large_file_error(int error)
{
    return error == EFBIG ? "it has more than 512 MiB" : strerror(error);
}
