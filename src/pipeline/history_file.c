/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/pipeline_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_directory(int fd)
{
    struct stat status;
    return fstat(fd, &status) == 0 && S_ISDIR(status.st_mode);
}

int history_file_open(const char *path, struct diagnostic *d)
{
    int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (fd < 0)
        diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "cannot open: %s", strerror(errno));
    else if (is_directory(fd))
        diagnostic_set(d, PL_CANNOT_OPEN, 0, 0, "this is a directory");
    else
        return fd;
    history_file_close(fd);
    return -1;
}

void history_file_close(int fd)
{
    if (fd > STDIN_FILENO)
        close(fd);
}

bool history_file_read(struct history *h, const char *path, const struct format_options *o,
                       struct format_reading *out, struct diagnostic *d)
{
    int fd = history_file_open(path, d);
    bool fine = fd >= 0 && format_read(h, fd, o, out, d);
    history_file_close(fd);
    return fine;
}
