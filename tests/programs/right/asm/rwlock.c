/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a flag of the writer, a count of the readers */
#include "../../x86.h"

static uint32_t writer, readers;
static int data[2];

static void read_lock(void)
{
    for (;;) {
        while (load_32(&writer))
            stall();
        inc_32(&readers);
        if (!load_32(&writer))
            return;
        dec_zero_32(&readers);
    }
}

static void *reader(void *arg)
{
    read_lock();
    assert(data[0] == data[1]);
    dec_zero_32(&readers);
    return arg;
}

static void *write_both(void *arg)
{
#ifdef BREAK_FENCE
    store_32(&writer, 1);
#else
    while (swap_32(&writer, 1))
        stall();
#endif
#ifndef BREAK_READERS
    while (load_32(&readers))
        stall();
#endif
    data[0]++;
    data[1]++;
    store_32(&writer, 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_both, NULL);
    reader(NULL);
    pthread_join(t, NULL);
    return 0;
}
