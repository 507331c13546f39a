/* SPDX-License-Identifier: Apache-2.0 */
#include "campaign/cluster/cluster_frames.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int frames_descriptor(void)
{
    const char *number = getenv(FRAMES_VARIABLE);
    int descriptor = number ? atoi(number) : -1;
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFD, FD_CLOEXEC); /* not for compilers and workers */
    return descriptor;
}

static bool write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

static bool read_all(int descriptor, char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t got = read(descriptor, bytes, length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        bytes += got;
        length -= (size_t)got;
    }
    return true;
}

bool frames_write(int descriptor, const char *bytes, size_t length)
{
    uint64_t size = length;
    return write_all(descriptor, (const char *)&size, sizeof size) && write_all(descriptor, bytes, length);
}

bool frames_read(int descriptor, struct text *bytes)
{
    char buffer[1 << 16];
    uint64_t size;
    text_clear(bytes);
    if (!read_all(descriptor, (char *)&size, sizeof size))
        return false;
    while (size > 0) {
        size_t next = size < sizeof buffer ? (size_t)size : sizeof buffer;
        if (!read_all(descriptor, buffer, next))
            return false;
        text_add(bytes, buffer, next);
        size -= next;
    }
    return true;
}
