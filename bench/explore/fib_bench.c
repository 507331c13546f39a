// SPDX-License-Identifier: Apache-2.0
// Two threads that add each other's number to their own.
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 4
#endif
static atomic_int a = 1, b = 1;

static void *add_b(void *unused)
{
    for (int k = 0; k < N; k++)
        atomic_store(&a, atomic_load(&a) + atomic_load(&b));
    return unused;
}

static void *add_a(void *unused)
{
    for (int k = 0; k < N; k++)
        atomic_store(&b, atomic_load(&b) + atomic_load(&a));
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, add_b, NULL);
    pthread_create(&t[1], NULL, add_a, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
