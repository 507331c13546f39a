/* SPDX-License-Identifier: Apache-2.0 */
/* The mutex turns out late to be more than one: all has to begin again, in every process. */
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static void *worker(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    pthread_mutex_unlock(&m);
    atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
    return 0;
}
static void *trier(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&y, memory_order_relaxed) == 1 &&
        atomic_load_explicit(&x, memory_order_relaxed) == 2)
        if (pthread_mutex_trylock(&m) == 0)
            pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, i < 3 ? worker : trier, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
}
