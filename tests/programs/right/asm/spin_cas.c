/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: test, then compare and swap; what it protects is plain */
#include "../../x86.h"

static uint32_t lock;
static int counter;

static void acquire(uint32_t *l)
{
    while (!cas_32(l, 0, 1))
        while (load_32(l))
            stall();
}

static void release(uint32_t *l)
{
#ifdef BREAK_RELEASE
    (void)l; /* never given back */
#else
    store_32(l, 0);
#endif
}

static void *add(void *arg)
{
    acquire(&lock);
#ifdef BREAK_EARLY
    release(&lock);
    counter++;
#else
    counter++;
    release(&lock);
#endif
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
