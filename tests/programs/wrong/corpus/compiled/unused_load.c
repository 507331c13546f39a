/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* mode: all */
/* tso: holds */
/* sc: holds */
/* note: the flag is relaxed: nothing orders the read, whose value is not used */
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int ready;

static void *writer(void *unused)
{
    (void)unused;
    data = 42;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&ready, memory_order_acquire)) {
        int copy = data;
        (void)copy;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, writer, NULL);
    pthread_create(&t[1], NULL, reader, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
