/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: fetch and store, with three threads */
#include "../../x86.h"

static uint32_t lock;
static int counter;

#ifdef BREAK_SWAP /* a load and a store are no exchange */
static uint32_t take(uint32_t *l)
{
    uint32_t before = load_32(l);
    store_32(l, 1);
    return before;
}
#else
static uint32_t take(uint32_t *l)
{
    return swap_32(l, 1);
}
#endif

static void *add(void *arg)
{
    while (take(&lock))
        do
            stall();
        while (load_32(&lock));
    counter++;
    store_32(&lock, 0);
    return arg;
}

int main(void)
{
    run_threads(3, add);
    assert(counter == 3);
    return 0;
}
