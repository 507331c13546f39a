/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* note: memory of alloca is used after its function has returned */
#include <alloca.h>
#include <stdlib.h>

int seen;

static __attribute__((noinline)) int *make(unsigned n)
{
    int *values = alloca(n * sizeof(int));
    values[0] = 1;
    return values;
}

int main(void)
{
    int *volatile values = make(4);
    seen = values[0];
    return 0;
}
