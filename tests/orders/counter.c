/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that nobody waits for. */
#include "sites.h"

static atomic_int count;

static void *add(void *p)
{
    atomic_fetch_add_explicit(&count, 1, A);
    return p;
}

int main(void)
{
    run(add, add, NULL);
    assert(atomic_load_explicit(&count, B) == 2);
    return 0;
}
