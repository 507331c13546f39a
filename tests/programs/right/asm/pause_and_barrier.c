/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: a pause and an empty compiler barrier access no memory */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *writer(void *arg)
{
    (void)arg;
    data = 1;
    __asm__ volatile("" ::: "memory");
    atomic_store_explicit(&ready, 1, memory_order_release);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    while (!atomic_load_explicit(&ready, memory_order_acquire))
#if defined __x86_64__
        __asm__ volatile("pause");
#else
        __asm__ volatile("yield");
#endif
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
