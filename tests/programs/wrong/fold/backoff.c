/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --fold */
/* note: a pause that grows with every failure, kept in memory of the caller */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int pauses[2];

static void add(int *pause)
{
    for (;;) {
        int seen = atomic_load(&x);
        if (atomic_compare_exchange_strong(&x, &seen, seen + 1))
            return;
        *pause *= 2;
    }
}

static void *work(void *argument)
{
    int pause = 1;
    add(&pause);
    pauses[(long)argument] = pause;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pauses[0] == 1 && pauses[1] == 1);
}
