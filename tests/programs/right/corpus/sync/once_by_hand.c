/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int once, runs;

static void *user(void *unused)
{
    (void)unused;
    int expected = 0;
    if (atomic_compare_exchange_strong(&once, &expected, 1)) {
        atomic_fetch_add(&runs, 1);
    }
    assert(atomic_load(&runs) <= 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, user, NULL);
    pthread_create(&t[1], NULL, user, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
