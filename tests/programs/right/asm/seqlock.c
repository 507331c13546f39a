/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a sequence lock whose data are read by assembly, too */
#include "../../x86.h"

static uint32_t sequence, data[2];

static void *write_both(void *arg)
{
    store_32(&sequence, load_32(&sequence) + 1);
    fence_full();
    store_32(&data[0], 1);
    store_32(&data[1], 1);
#ifndef BREAK_END
    fence_store();
    store_32(&sequence, load_32(&sequence) + 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, write_both, NULL);
    uint32_t before = load_32(&sequence);
    fence_load();
    uint32_t a = load_32(&data[0]), b = load_32(&data[1]);
    fence_load();
#ifdef BREAK_CHECK
    if (!(before & 1))
#else
    if (!(before & 1) && load_32(&sequence) == before)
#endif
        assert(a == b);
    pthread_join(t, NULL);
#ifdef BREAK_END
    assert(load_32(&sequence) == 2);
#endif
    return 0;
}
