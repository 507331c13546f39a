// SPDX-License-Identifier: Apache-2.0
// N threads enqueue and dequeue once each on Michael and Scott's queue.
#ifndef N
#define N 2
#endif
#include "endings.h"

#include "../explore/ms_queue.c"

static void work(long number)
{
    enqueue((int)number);
    dequeue();
}

int main(void)
{
    make_empty();
    run_all();
}
