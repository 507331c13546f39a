/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* only: gcc */
/* mode: dfs */
/* flags-plumb: --reuse */
/* note: what the block held before it was freed is gone */
#include <stdatomic.h>
#include <stdlib.h>

int main(void)
{
    atomic_int *first = malloc(sizeof *first);
    unsigned long place = (unsigned long)first;
    atomic_store(first, 3);
    free(first);
    atomic_int *second = malloc(sizeof *second);
    int seen = (unsigned long)second == place ? atomic_load(second) : 0;
    free(second);
    return seen == 3;
}
