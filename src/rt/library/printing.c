/* SPDX-License-Identifier: Apache-2.0 */
/* Printing into the program's memory: the C library's writes are the program's. */
#include "rt/hook.h"
#include "rt/library/library.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

static void announce_text(char *to, size_t room, int length, const void *pc)
{
    if (length >= 0 && room)
        engine_plain((uint64_t)to, (size_t)length < room ? (size_t)length + 1 : room, true, pc);
}

/* What is printed from there would change meanwhile. */
static void check_text(const char *to, size_t room, int length, const char *format, va_list args,
                       const void *pc)
{
    va_list again;
    if (length < 0 || !room)
        return;
    va_copy(again, args);
    library_check_print("snprintf", format, &again, to, (size_t)length < room ? (size_t)length + 1 : room,
                        pc);
    va_end(again);
}

/* Printed to nowhere first, to know the length: a text that does not fit is reported before it destroys what lies behind. */
static int print(char *to, size_t room, const char *format, va_list args, const void *pc)
{
    va_list again;
    if (engine_active)
        engine_note_effect();
    if (hook_is_watched(pc)) {
        va_copy(again, args);
        library_print_values("snprintf", format, &again, pc);
        va_end(again);
        va_copy(again, args);
        int length = NEXT(vsnprintf)(NULL, 0, format, again);
        va_end(again);
        check_text(to, room, length, format, args, pc);
        announce_text(to, room, length, pc);
    }
    return NEXT(vsnprintf)(to, room, format, args);
}

EXPORT int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list args)
{
    return print(to, room, format, args, CALLER);
}

EXPORT int vsprintf(char *restrict to, const char *restrict format, va_list args)
{
    return print(to, INT_MAX, format, args, CALLER);
}

EXPORT int snprintf(char *restrict to, size_t room, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int length = print(to, room, format, args, CALLER);
    va_end(args);
    return length;
}

EXPORT int sprintf(char *restrict to, const char *restrict format, ...)
{
    va_list args;
    va_start(args, format);
    int length = print(to, INT_MAX, format, args, CALLER);
    va_end(args);
    return length;
}
