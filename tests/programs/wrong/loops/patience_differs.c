/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: what looks like one loop that gives up is three calls, each with less patience, that find one value each */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static __attribute__((noinline)) int finds(int value, int patience)
{
    for (; patience > 0; patience--)
        if (atomic_load(&x) == value)
            return 1;
    return 0;
}

static void *look(void *arg)
{
    assert(!(finds(0, 9) && finds(1, 8) && finds(2, 7)));
    return arg;
}

int main(void)
{
    pthread_t reader;
    pthread_create(&reader, NULL, look, NULL);
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    pthread_join(reader, NULL);
    return 0;
}
