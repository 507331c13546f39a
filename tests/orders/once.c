/* SPDX-License-Identifier: Apache-2.0 */
/* Who loses the comparison uses what the winner has made. */
#include "sites.h"

static _Atomic(int *) object;

static void *get(void *p)
{
    int *mine = malloc(sizeof *mine), *found = NULL;
    *mine = 1;
    if (!atomic_compare_exchange_strong_explicit(&object, &found, mine, A, B))
        assert(*found == 1);
    return p;
}

int main(void)
{
    run(get, get, NULL);
    return 0;
}
