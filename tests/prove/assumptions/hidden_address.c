/* SPDX-License-Identifier: Apache-2.0 */
/* The address of the top is kept complemented. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static _Atomic uintptr_t top; /* ~address; 0: none */

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    struct node *n = malloc(sizeof *n);
    uintptr_t old = atomic_load(&top);
    n->value = v;
    do
        n->next = old ? (struct node *)~old : NULL;
    while (!atomic_compare_exchange_strong(&top, &old, ~(uintptr_t)n));
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    uintptr_t old = atomic_load(&top);
    struct node *n;
    do {
        n = old ? (struct node *)~old : NULL;
        if (!n)
            return PLUMB_NONE;
    } while (!atomic_compare_exchange_strong(&top, &old, n->next ? ~(uintptr_t)n->next : 0));
    return PLUMB_INT(n->value);
}
