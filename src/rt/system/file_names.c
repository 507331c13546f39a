/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files: who creates, renames or removes one first is not seen in the program's memory. */
#define __NO_INLINE__ 1

#include "base/text.h"
#include "rt/hook.h"
#include "rt/system/identity.h"
#include "rt/system/outside.h"
#include "rt/system/system_parts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void order_names(const void *pc)
{
    outside_use(OUTSIDE_NAMES, true, pc);
}

/* What is read and written by this file is memory of the program, unannounced. */
static void refuse_memory(const char *path, const void *pc)
{
    static const char *const names[] = {"/proc/self/mem", "/proc/thread-self/mem", NULL};
    char room[IDENTITY_PATH];
    if (hook_is_watched(pc) && path && text_is_one_of(identity_path(path, room), names))
        engine_give_up(pc, "opening %s", path);
}

/* Devices are always there. */
static void order_opening(const char *path, const void *pc)
{
    refuse_memory(path, pc);
    if (!chance_is_name(path))
        order_names(pc);
}

#define ORDERED(type, name, parameters, arguments) \
    EXPORT type name parameters                    \
    {                                              \
        order_names(CALLER);                       \
        return NEXT(name) arguments;               \
    }

/* The mode is there only when a file may be created; to take it in any case does no harm. */
#define OPENS(name, first, given)              \
    EXPORT int name(first, int flags, ...)     \
    {                                          \
        va_list rest;                          \
        va_start(rest, flags);                 \
        mode_t mode = va_arg(rest, mode_t);    \
        va_end(rest);                          \
        char room[IDENTITY_PATH];              \
        order_opening(path, CALLER);           \
        path = identity_path(path, room);      \
        return NEXT(name)(given, flags, mode); \
    }

OPENS(open, const char *path, path)
OPENS(open64, const char *path, path)
ORDERED(int, creat, (const char *path, mode_t mode), (path, mode))
ORDERED(int, unlink, (const char *path), (path))
ORDERED(int, remove, (const char *path), (path))
ORDERED(int, rename, (const char *from, const char *to), (from, to))
ORDERED(int, link, (const char *from, const char *to), (from, to))
ORDERED(int, symlink, (const char *from, const char *to), (from, to))
ORDERED(int, mkdir, (const char *path, mode_t mode), (path, mode))
ORDERED(int, rmdir, (const char *path), (path))

EXPORT int access(const char *path, int mode)
{
    char room[IDENTITY_PATH];
    outside_use(OUTSIDE_NAMES, false, CALLER);
    return NEXT(access)(identity_path(path, room), mode);
}

/* What it looks at stands in the table of functions. */
EXPORT DIR *opendir(const char *path)
{
    char room[IDENTITY_PATH];
    return NEXT(opendir)(identity_path(path, room));
}

EXPORT ssize_t readlink(const char *path, char *to, size_t size)
{
    char room[IDENTITY_PATH];
    outside_use(OUTSIDE_NAMES, false, CALLER);
    if (hook_is_watched(CALLER))
        hook_read_string(path, strlen(path) + 1, CALLER);
    ssize_t result = NEXT(readlink)(identity_path(path, room), to, size);
    if (result > 0 && hook_is_watched(CALLER))
        engine_plain_late((uint64_t)to, (size_t)result, CALLER);
    return result;
}

#define OPENS_STREAM(name)                                    \
    EXPORT FILE *name(const char *path, const char *mode)     \
    {                                                         \
        char room[IDENTITY_PATH];                             \
        order_opening(path, CALLER);                          \
        path = identity_path(path, room);                     \
        FILE *f = NEXT(name)(chance_stream_name(path), mode); \
        outside_keep_stream(f);                               \
        return f;                                             \
    }

OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

#define MAKES_STREAM(name, parameters, arguments) \
    EXPORT FILE *name parameters                  \
    {                                             \
        FILE *f = NEXT(name) arguments;           \
        outside_keep_stream(f);                   \
        return f;                                 \
    }

MAKES_STREAM(tmpfile, (void), ())
MAKES_STREAM(tmpfile64, (void), ())
MAKES_STREAM(fdopen, (int fd, const char *mode), (fd, mode))

EXPORT int fclose(FILE *stream)
{
    outside_forget_stream(stream);
    return NEXT(fclose)(stream);
}

EXPORT int openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    char room[IDENTITY_PATH];
    order_opening(path, CALLER);
    return NEXT(openat)(folder, identity_path(path, room), flags, mode);
}
