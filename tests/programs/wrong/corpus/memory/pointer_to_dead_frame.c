/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* note: a function returns the address of its own variable through a global */
#include <stdio.h>

static int *latest;
int seen;

static __attribute__((noinline)) void sample(void)
{
    int value;
    value = 3;
    latest = &value;
}

int main(void)
{
    sample();
    seen = *latest;
    return 0;
}
