/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: asm goto: the assembly leaves by a jump to a label of C */
#include "../../x86.h"

static uint32_t lock;
static int counter;

static inline bool try_lock(uint32_t *l)
{
#ifdef BREAK_CONDITION
    __asm__ goto("lock btsl $0, %0; jnc %l[held]" : : "m"(*l) : "memory", "cc" : held);
#else
    __asm__ goto("lock btsl $0, %0; jc %l[held]" : : "m"(*l) : "memory", "cc" : held);
#endif
    return true;
held:
    return false;
}

static void *add(void *arg)
{
    while (!try_lock(&lock))
        stall();
    counter++;
    store_32(&lock, 0);
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
