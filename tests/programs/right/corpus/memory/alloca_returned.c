/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <alloca.h>
#include <stdlib.h>

int seen;

static __attribute__((noinline)) int *make(unsigned n)
{
    int *values = malloc(n * sizeof(int));
    values[0] = 1;
    return values;
}

int main(void)
{
    int *volatile values = make(4);
    seen = values[0];
    free(values);
    return 0;
}
