// SPDX-License-Identifier: Apache-2.0
// N threads take a ticket lock once each.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 7
#endif
static atomic_uint next, serving;
static int inside;

static void *enter(void *unused)
{
    unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
    while (atomic_load_explicit(&serving, memory_order_acquire) != mine)
        ;
    assert(++inside == 1);
    inside--;
    atomic_store_explicit(&serving, mine + 1, memory_order_release);
    return unused;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, enter, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
}
