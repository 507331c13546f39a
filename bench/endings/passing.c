// SPDX-License-Identifier: Apache-2.0
// Message passing by atomic variables alone: odd threads write, even ones read.
#ifndef N
#define N 4
#endif
#include "endings.h"

static atomic_int data[2], flag;

static void work(long number)
{
    if (number % 2) {
        atomic_store_explicit(&data[number / 2 % 2], 1, memory_order_relaxed);
        atomic_store_explicit(&flag, (int)number, memory_order_release);
    } else if (atomic_load_explicit(&flag, memory_order_acquire)) {
        atomic_load_explicit(&data[0], memory_order_relaxed);
        atomic_load_explicit(&data[1], memory_order_relaxed);
    }
}

int main(void)
{
    run_all();
}
