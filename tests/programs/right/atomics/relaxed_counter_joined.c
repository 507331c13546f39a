/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: relaxed is enough for a count that is read after the joins */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long hits;

static void *count(void *arg)
{
    (void)arg;
    for (int i = 0; i < 3; i++)
        atomic_fetch_add_explicit(&hits, 1, memory_order_relaxed);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, count, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(atomic_load_explicit(&hits, memory_order_relaxed) == 9);
    return 0;
}
