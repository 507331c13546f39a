/* SPDX-License-Identifier: Apache-2.0 */
/* The last one to give its reference back takes the object away. */
#include "sites.h"

static atomic_int references = 2;
static int object = 1;

static void *left(void *p)
{
    int seen = object;
    (void)seen;
    if (atomic_fetch_sub_explicit(&references, 1, A) == 1)
        object = 0;
    return p;
}

static void *right(void *p)
{
    int seen = object;
    (void)seen;
    if (atomic_fetch_sub_explicit(&references, 1, B) == 1)
        object = 0;
    return p;
}

int main(void)
{
    run(left, right, NULL);
    return 0;
}
