/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: owner and thief compete for the last element; all seq_cst */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int items[4];
static atomic_int top, bottom;
static atomic_int taken[3];

static void push(int value)
{
    int b = atomic_load(&bottom);
    atomic_store(&items[b], value);
    atomic_store(&bottom, b + 1);
}

static int take(void)
{
    int b = atomic_load(&bottom) - 1;
    atomic_store(&bottom, b);
    int t = atomic_load(&top);
    if (t > b) {
        atomic_store(&bottom, b + 1);
        return 0;
    }
    int value = atomic_load(&items[b]);
    if (t == b) {
        if (!atomic_compare_exchange_strong(&top, &t, t + 1))
            value = 0;
        atomic_store(&bottom, b + 1);
    }
    return value;
}

static void *thief(void *arg)
{
    (void)arg;
    int t = atomic_load(&top), b = atomic_load(&bottom);
    if (t < b) {
        int value = atomic_load(&items[t]);
        if (atomic_compare_exchange_strong(&top, &t, t + 1))
            atomic_fetch_add(&taken[value], 1);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thief, NULL);
    push(1);
    push(2);
    for (int i = 0; i < 2; i++)
        atomic_fetch_add(&taken[take()], 1);
    pthread_join(t, NULL);
    assert(taken[1] == 1 && taken[2] == 1);
    return 0;
}
