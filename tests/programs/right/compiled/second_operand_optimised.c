/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags: -O2 */
/* note: not even with -O2 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy = 1;
static int data, got;

static void *first(void *arg)
{
    data = 1;
    atomic_store_explicit(&busy, 0, memory_order_release);
    return arg;
}

static void *second(void *arg)
{
    if (atomic_load_explicit(&busy, memory_order_acquire) || data)
        return arg;
    got = 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
