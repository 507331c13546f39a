/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdlib.h>
#include <time.h>

PLUMB_OBJECT()

PLUMB_OP(now)
{
#ifdef TIME
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return PLUMB_INT(t.tv_sec);
#else
    return PLUMB_INT((long)malloc(1));
#endif
}
