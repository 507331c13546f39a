/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags-plumb: --test 'push(1) | pop' */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    long value;
};
static _Atomic(struct node *) top;

PLUMB_OBJECT(stack)
PLUMB_OP(push, long, v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = atomic_load_explicit(&top, memory_order_relaxed);
    while (
        !atomic_compare_exchange_weak_explicit(&top, &n->next, n, memory_order_release, memory_order_relaxed))
        ;
    return PLUMB_OK;
}
PLUMB_OP(pop)
{
    struct node *n = atomic_load_explicit(&top, memory_order_acquire);
    while (n && !atomic_compare_exchange_weak_explicit(&top, &n, n->next, memory_order_acquire,
                                                       memory_order_acquire))
        ;
    return n ? PLUMB_INT(n->value) : PLUMB_NONE;
}
