// SPDX-License-Identifier: Apache-2.0
// Thread 0 looks for the last zero of an array while thread i makes element i one more than its neighbour.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#ifndef N
#define N 15
#endif
static atomic_int array[N + 1];

static void *find(void *unused)
{
    int i = N;
    while (atomic_load(&array[i]) != 0)
        i--;
    return unused;
}

static void *raise(void *argument)
{
    intptr_t i = (intptr_t)argument;
    atomic_store(&array[i], atomic_load(&array[i - 1]) + 1);
    return NULL;
}

int main(void)
{
    pthread_t t[N + 1];
    pthread_create(&t[0], NULL, find, NULL);
    for (intptr_t i = 1; i <= N; i++)
        pthread_create(&t[i], NULL, raise, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], NULL);
}
