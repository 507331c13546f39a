/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: without lock an instruction is a load and a store; under a lock that is enough */
#include "../../x86.h"

static uint32_t lock, counter;

static void *add(void *arg)
{
#ifndef BREAK_LOCK
    while (swap_32(&lock, 1))
        stall();
#endif
    __asm__ __volatile__("addl $2, %0; decl %0" : "+m"(counter) : : "memory", "cc");
#ifndef BREAK_LOCK
    store_32(&lock, 0);
#endif
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
