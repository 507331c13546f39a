/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes as a file for readers that take a path. */
#ifndef SUPPORT_BYTES_FILE_H
#define SUPPORT_BYTES_FILE_H

#include "base/check.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* The path of a file without a name that has these bytes; the next call with the same descriptor replaces them. */
static inline void bytes_file(int *descriptor, char path[32], const void *bytes, size_t size)
{
    if (*descriptor < 0)
        *descriptor = memfd_create("bytes", MFD_CLOEXEC);
    CHECK(*descriptor >= 0 && ftruncate(*descriptor, 0) == 0);
    CHECK(pwrite(*descriptor, bytes, size, 0) == (ssize_t)size);
    snprintf(path, 32, "/proc/self/fd/%d", *descriptor);
}

#endif
