/* SPDX-License-Identifier: Apache-2.0 */
/* Serial runs are not followed as far as a search with larger steps asks for; with single ones the error comes first: who
 * is not locked out sees a node before its value. */
#include <plumb.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};
static struct node *newest;
static _Atomic int locked;
static int looks, never;

PLUMB_OBJECT()
PLUMB_OP(put, int, v)
{
    while (atomic_exchange(&locked, 1))
        continue;
    struct node *n = malloc(sizeof *n);
    n->value = 0;
    n->next = NULL;
    newest = n;
    n = newest;
    if (n)
        n->value = v & 3;
    atomic_store(&locked, 0);
    return PLUMB_INT(0);
}
PLUMB_OP(get)
{
    int seen = never;
    struct node *n = newest;
    if (n)
        seen = n->value;
    looks = looks ^ 1;
    return PLUMB_INT(seen == 0);
}
