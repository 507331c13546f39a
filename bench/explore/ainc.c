// SPDX-License-Identifier: Apache-2.0
// N threads that add one: N! executions.
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 8
#endif
static atomic_int x;

static void *add(void *unused)
{
    atomic_fetch_add(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}
