/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: both halves of a ticket lock in one word, always accessed as a whole */
#include "../../x86.h"

static uint32_t lock; /* next << 16 | position */
static int counter;

static void *add(void *arg)
{
    uint32_t before = fetch_add_32(&lock, 1 << 16);
    while ((load_32(&lock) & 0xffff) != before >> 16)
        stall();
    counter++;
    fetch_add_32(&lock, 1);
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
