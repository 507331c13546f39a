/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* races: violated assert */
/* note: right on x86; rc11 takes stores for release, of which the order may be another for each reader */
/* rc11: violated race */
#include "../../x86.h"

static uint32_t wants[2], turn;
static int counter;

static void *add(void *arg)
{
    uint32_t me = (uint32_t)(intptr_t)arg;
    store_32(&wants[me], 1);
    store_32(&turn, 1 - me);
#ifndef BREAK_FENCE
    fence_full();
#endif
    while (load_32(&wants[1 - me]) && load_32(&turn) == 1 - me)
        stall();
    counter++;
    store_32(&wants[me], 0);
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
