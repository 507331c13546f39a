/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    atomic_int *table = calloc(2, sizeof *table);
    table = realloc(table, 4 * sizeof *table);
    memset(table + 2, 0, 2 * sizeof *table);
    int sum = atomic_load(&table[0]) + atomic_load(&table[3]);
    free(table);
    return sum;
}
