/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: the thread that decrements it to zero has the lock */
#include "../../x86.h"

static uint32_t lock = 1;
static int counter;

static void *add(void *arg)
{
    while (!dec_zero_32(&lock))
        while (load_32(&lock) != 1)
            stall();
    counter++;
#ifdef BREAK_VALUE
    store_32(&lock, 2);
#else
    store_32(&lock, 1);
#endif
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
