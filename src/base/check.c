/* SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { STATUS_INTERNAL_ERROR = 70 };

_Noreturn void base_bug(const char *file, int line, const char *what)
{
    fflush(stdout);
    fprintf(stderr,
            "plumb: internal error: %s:%d: %s [PL0070]\n"
            "This is a bug in plumb, not in your program; no verdict was reached. Please report it.\n",
            file, line, what);
    exit(STATUS_INTERNAL_ERROR);
}
