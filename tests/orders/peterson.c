/* SPDX-License-Identifier: Apache-2.0 */
/* Half of a lock for two: who comes second sees the first. */
#include "sites.h"

static atomic_int wants[2];
static int inside;

static void *left(void *p)
{
    atomic_exchange_explicit(&wants[0], 1, A);
    if (!atomic_load_explicit(&wants[1], B))
        inside++;
    return p;
}

static void *right(void *p)
{
    atomic_exchange_explicit(&wants[1], 1, C);
    if (!atomic_load_explicit(&wants[0], D))
        inside++;
    return p;
}

int main(void)
{
    run(left, right, NULL);
    return 0;
}
