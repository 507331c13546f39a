/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* flags-plumb: --fold */
/* note: the next round begins with what the last one found, and with a count */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int rounds[2];

static void *work(void *argument)
{
    int count = 0, seen = atomic_load(&x);
    while (!atomic_compare_exchange_strong(&x, &seen, seen + 1))
        count++;
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
