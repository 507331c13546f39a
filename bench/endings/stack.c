// SPDX-License-Identifier: Apache-2.0
// N threads push and pop once each on Treiber's stack; nodes are not freed.
#ifndef N
#define N 3
#endif
#include "endings.h"

#include "../explore/treiber.c"

static void work(long number)
{
    push((int)number);
    pop();
}

int main(void)
{
    run_all();
}
