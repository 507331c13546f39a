/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* Six threads access a word atomically, each the word of its own, too; main does so plainly before and after. */
#include <assert.h>
#include <pthread.h>

enum { THREADS = 6 };
static int together, own[THREADS];

static void *work(void *number)
{
    __atomic_load_n(&together, __ATOMIC_RELAXED);
    __atomic_store_n(&own[(long)number], 1, __ATOMIC_RELAXED);
    own[(long)number]++;
    return NULL;
}

int main(void)
{
    pthread_t t[THREADS];
    together = 7;
    for (long i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    together++;
    for (int i = 0; i < THREADS; i++)
        assert(own[i] == 2);
    assert(together == 8);
}
