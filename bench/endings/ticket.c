// SPDX-License-Identifier: Apache-2.0
// N threads take a ticket lock once each.
#ifndef N
#define N 5
#endif
#include "endings.h"

static atomic_uint next, serving;
static int inside;

static void work(long number)
{
    unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        ;
    inside = (int)number;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
}

int main(void)
{
    run_all();
}
