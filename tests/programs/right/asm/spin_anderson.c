/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: Anderson's lock: a place of an array for each that waits */
#include "../../x86.h"

enum { PLACES = 2 };
static uint32_t next, waits[PLACES] = {0, 1};
static int counter;

static void *add(void *arg)
{
    uint32_t mine = fetch_add_32(&next, 1) % PLACES;
    while (load_32(&waits[mine]))
        stall();
    counter++;
    store_32(&waits[mine], 1);
#ifdef BREAK_INDEX
    store_32(&waits[mine], 0);
#else
    store_32(&waits[(mine + 1) % PLACES], 0);
#endif
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
