/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <stdio.h>

static int *latest;
int seen;

static __attribute__((noinline)) void sample(void)
{
    static int value;
    value = 3;
    latest = &value;
}

int main(void)
{
    sample();
    seen = *latest;
    return 0;
}
