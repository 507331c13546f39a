/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files: who creates, renames or removes one first is not seen in the program's memory. */
#define __NO_INLINE__ 1

#include "rt/system/system_parts.h"
#include "rt/hook.h"
#include "rt/start.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct engine_uses uses;

BEFORE_EACH_EXECUTION(file_names_reset)
{
    engine_forget_uses(&uses);
}

static void order_names(const void *pc)
{
    if (!engine_active)
        return;
    engine_order_use(&uses, "changes of files and their names", pc);
    engine_note_use(&uses);
}

/* Devices are always there. */
static void order_opening(const char *path, const void *pc)
{
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
        order_opening(path, CALLER);           \
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
ORDERED(int, access, (const char *path, int mode), (path, mode))

#define OPENS_STREAM(name)                                 \
    EXPORT FILE *name(const char *path, const char *mode)  \
    {                                                      \
        order_opening(path, CALLER);                       \
        return NEXT(name)(chance_stream_name(path), mode); \
    }

OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

EXPORT int openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    order_opening(path, CALLER);
    return NEXT(openat)(folder, path, flags, mode);
}
