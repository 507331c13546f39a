/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the waiter has read the last that the other one writes to its node, so that the frame may go */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
struct node {
    _Atomic(int) state;
    struct node *next;
};
static _Atomic(struct node *) head;
static void *waker(void *u)
{
    struct node *n;
    while (!(n = atomic_exchange(&head, NULL)))
        ;
    atomic_store_explicit(&n->state, 1, memory_order_release);
    atomic_fetch_or(&n->state, 2);
    return 0;
}
static void __attribute__((noinline)) wait_here(void)
{
    struct node n = {0};
    atomic_store(&head, &n);
    while (!(atomic_load_explicit(&n.state, memory_order_relaxed) & 2))
        ;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waker, 0);
    wait_here();
    pthread_join(t, 0);
}
