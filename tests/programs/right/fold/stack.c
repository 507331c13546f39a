/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --fold */
/* note: Treiber's stack: what a failed CAS found is what the next round begins with */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};
static _Atomic(struct node *) top;
static struct node nodes[2] = {{.value = 1}, {.value = 2}};
static int got[2];

static void push(struct node *n)
{
    struct node *old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        atomic_store_explicit(&n->next, old, memory_order_relaxed);
    while (
        !atomic_compare_exchange_strong_explicit(&top, &old, n, memory_order_release, memory_order_relaxed));
}

static int pop(void)
{
    struct node *old = atomic_load_explicit(&top, memory_order_acquire), *next;
    do {
        if (!old)
            return 0;
        next = atomic_load_explicit(&old->next, memory_order_relaxed);
    } while (!atomic_compare_exchange_strong_explicit(&top, &old, next, memory_order_acquire,
                                                      memory_order_acquire));
    return old->value;
}

static void *work(void *argument)
{
    long me = (long)argument;
    push(&nodes[me]);
    got[me] = pop();
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(got[0] + got[1] == 3 && got[0] != got[1]);
}
