/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: what the program holds in registers, vectors included, is the same behind an event */
#include "../../x86.h"

static uint32_t shared;

__attribute__((noinline)) static double sum(double a, double b, uint64_t c)
{
    uint64_t d = c * 3;
    inc_32(&shared);
    return a * b + (double)(c + d);
}

static void *use(void *arg)
{
    double s = 0;
    for (int k = 0; k < 3; k++)
        s += sum(1.5, 2 + k, (uint64_t)k);
    assert(s == 1.5 * 9 + 4 * 3);
    return arg;
}

int main(void)
{
    run_threads(2, use);
    assert(shared == 6);
    return 0;
}
