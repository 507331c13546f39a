/* SPDX-License-Identifier: Apache-2.0 */
/* Printing into the program's memory: the C library's writes are the program's. What %s reads is not seen. */
#include "rt/hook.h"

#include <stdarg.h>
#include <stdio.h>

/* After the fact: nobody else runs in between, and only then the length is known. */
static int announce_text(char *to, size_t room, int length, const void *pc)
{
    if (length >= 0 && room && hook_is_watched(pc))
        engine_plain((uint64_t)to, (size_t)length < room ? (size_t)length + 1 : room, true, pc);
    return length;
}

EXPORT int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list args)
{
    return announce_text(to, room, NEXT(vsnprintf)(to, room, format, args), CALLER);
}

EXPORT int vsprintf(char *restrict to, const char *restrict format, va_list args)
{
    return announce_text(to, SIZE_MAX, NEXT(vsprintf)(to, format, args), CALLER);
}

EXPORT int snprintf(char *restrict to, size_t room, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int length = NEXT(vsnprintf)(to, room, format, args);
    va_end(args);
    return announce_text(to, room, length, CALLER);
}

EXPORT int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int length = NEXT(vsprintf)(to, format, args);
    va_end(args);
    return announce_text(to, SIZE_MAX, length, CALLER);
}
