/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: dfs */
/* note: what realloc adds holds nothing */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

int main(void)
{
    atomic_int *a = malloc(sizeof *a);
    atomic_init(&a[0], 1);
    a = realloc(a, 2 * sizeof *a);
    int sum = atomic_load(&a[0]) + atomic_load(&a[1]);
    free(a);
    return sum == 0;
}
