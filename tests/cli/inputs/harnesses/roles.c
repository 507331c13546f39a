/* SPDX-License-Identifier: Apache-2.0 */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int sum;
static int *own[4];

#ifdef ALONE
PLUMB_OBJECT()
PLUMB_OP(add, int, n)
{
    return PLUMB_INT(*own[plumb_thread()] += n);
}
#else
PLUMB_OP(add, int, n)
{
    *own[plumb_thread()] += n;
    return PLUMB_INT(sum += n);
}

PLUMB_OP(get)
{
    return PLUMB_INT(sum);
}

PLUMB_OP(wait, int, n)
{
    while (sum < n)
        continue;
    return PLUMB_OK;
}

PLUMB_ROLE(adder, add)
PLUMB_ROLE_MANY(reader, get, wait)
#ifdef UNKNOWN
PLUMB_ROLE(nobody, sub)
#endif
#endif

PLUMB_THREAD_SETUP()
{
    own[plumb_thread()] = calloc(1, sizeof(int));
}

PLUMB_THREAD_TEARDOWN()
{
    free(own[plumb_thread()]);
}
