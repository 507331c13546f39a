/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* note: realloc grows a table of atomics and the new half is not cleared */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    atomic_int *table = calloc(2, sizeof *table);
    table = realloc(table, 4 * sizeof *table);
    int sum = atomic_load(&table[0]) + atomic_load(&table[3]);
    free(table);
    return sum;
}
