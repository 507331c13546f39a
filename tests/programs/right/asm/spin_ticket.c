/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a ticket lock */
#include "../../x86.h"

static struct {
    uint32_t next, position;
} lock;
static int counter;

static void *add(void *arg)
{
    uint32_t mine = fetch_add_32(&lock.next, 1);
    while (load_32(&lock.position) != mine)
        stall();
    counter++;
#ifdef BREAK_ORDER /* of another variable */
    store_32(&lock.next, mine + 1);
#else
    store_32(&lock.position, mine + 1);
#endif
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
