/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a barrier with a sense, made of a count */
#include "../../x86.h"

enum { THREADS = 2 };
static uint32_t count = THREADS, sense;
static int before[THREADS];

static void wait_for_all(void)
{
    uint32_t mine = !load_32(&sense);
    if (dec_zero_32(&count)) {
        store_32(&count, THREADS);
        store_32(&sense, mine);
        return;
    }
#ifndef BREAK_WAIT
    while (load_32(&sense) != mine)
        stall();
#endif
}

static void *meet(void *arg)
{
    int me = (int)(intptr_t)arg;
    before[me] = 1;
    wait_for_all();
    assert(before[1 - me] == 1);
    return arg;
}

int main(void)
{
    run_threads(THREADS, meet);
    return 0;
}
