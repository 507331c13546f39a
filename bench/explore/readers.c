// SPDX-License-Identifier: Apache-2.0
// One writer, N readers: each reader sees the old or the new value, 2^N executions.
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 15
#endif
static atomic_int x;

static void *writer(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    return unused;
}

static void *reader(void *unused)
{
    atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void)
{
    pthread_t t[N + 1];
    pthread_create(&t[N], NULL, writer, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, reader, NULL);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], NULL);
}
