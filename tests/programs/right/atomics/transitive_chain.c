/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: happens-before is transitive over three threads */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int first, second;

static void *producer(void *arg)
{
    (void)arg;
    data = 7;
    atomic_store_explicit(&first, 1, memory_order_release);
    return NULL;
}

static void *middle(void *arg)
{
    (void)arg;
    while (!atomic_load_explicit(&first, memory_order_acquire))
        ;
    atomic_store_explicit(&second, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, middle, NULL);
    while (!atomic_load_explicit(&second, memory_order_acquire))
        ;
    assert(data == 7);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
