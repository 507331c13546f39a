/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diagnostic.h"

#include <stdarg.h>
#include <stdio.h>

_Bool diagnostic_set(struct diagnostic *d, int code, uint64_t line, uint64_t column, const char *format, ...)
{
    d->code = code;
    d->line = line;
    d->column = column;
    va_list args;
    va_start(args, format);
    vsnprintf(d->message, sizeof d->message, format, args);
    va_end(args);
    return 0;
}
