/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* flags: -mcx16 */
/* flags-plumb: --test 'push(1) push(2) => pop | pop pop push(3) => pop' */
/* note: pointer and tag are exchanged together, 16 bytes, and read apart */
#include <plumb.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#ifndef TAG
#define TAG 1 /* what an exchange adds to it */
#endif

enum { SPARE = 8 };

struct node {
    struct node *next;
    int value;
};

static union top {
    unsigned __int128 whole;
    struct {
        struct node *node;
        uintptr_t tag;
    };
} top;

static _Thread_local struct {
    struct node *nodes[SPARE];
    unsigned first, last;
} spare;

static struct node *take_node(void)
{
    return spare.first != spare.last ? spare.nodes[spare.first++ % SPARE] : malloc(sizeof(struct node));
}

static void keep_node(struct node *n)
{
    if (spare.last - spare.first < SPARE)
        spare.nodes[spare.last++ % SPARE] = n;
}

static union top look(void)
{
    union top seen;
    seen.tag = __atomic_load_n(&top.tag, __ATOMIC_ACQUIRE);
    seen.node = __atomic_load_n(&top.node, __ATOMIC_ACQUIRE);
    return seen;
}

static bool exchange(union top old, struct node *node)
{
    union top new = {.node = node};
    new.tag = old.tag + TAG;
    return __atomic_compare_exchange_n(&top.whole, &old.whole, new.whole, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

PLUMB_OBJECT(stack)

PLUMB_OP(push, int, v)
{
    struct node *n = take_node();
    union top old;
    __atomic_store_n(&n->value, v, __ATOMIC_RELAXED);
    do {
        old = look();
        __atomic_store_n(&n->next, old.node, __ATOMIC_RELAXED);
    } while (!exchange(old, n));
    return PLUMB_OK;
}

PLUMB_OP(pop)
{
    union top old;
    struct node *next;
    do {
        old = look();
        if (!old.node)
            return PLUMB_NONE;
        next = __atomic_load_n(&old.node->next, __ATOMIC_RELAXED);
    } while (!exchange(old, next));
    int v = __atomic_load_n(&old.node->value, __ATOMIC_RELAXED);
    keep_node(old.node);
    return PLUMB_INT(v);
}

PLUMB_TRY(push, 1, 2, 3)
