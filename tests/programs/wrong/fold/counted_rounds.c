/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --fold */
/* note: a round that changes a value that is used later has to happen */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int rounds[2];

static void *work(void *argument)
{
    int count = 0;
    for (;; count++) {
        int seen = atomic_load(&x);
        if (atomic_compare_exchange_strong(&x, &seen, seen + 1))
            break;
    }
    rounds[(long)argument] = count;
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(rounds[0] == 0 && rounds[1] == 0);
}
