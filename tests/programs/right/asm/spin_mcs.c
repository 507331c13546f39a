/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* races: inconclusive */
/* note: Mellor-Crummey and Scott's lock, its nodes on the stacks */
#include "../../x86.h"

struct node {
    uint32_t locked;
    struct node *next;
};
static struct node *tail;
static int counter;

static void acquire(struct node *node)
{
    struct node *before;
    node->locked = 1;
    node->next = NULL;
    before = swap_ptr((pointer *)&tail, node);
    if (before) {
        STORE_PTR(&before->next, node);
#ifndef BREAK_WAIT
        while (load_32(&node->locked))
            stall();
#endif
    }
}

static void release(struct node *node)
{
    if (!LOAD_PTR(&node->next)) {
        if (cas_ptr((pointer *)&tail, node, NULL))
            return;
        while (!LOAD_PTR(&node->next))
            stall();
    }
#ifndef BREAK_HAND
    struct node *next = LOAD_PTR(&node->next);
    store_32(&next->locked, 0);
#endif
}

static void *add(void *arg)
{
    struct node node;
    acquire(&node);
    counter++;
    release(&node);
    return arg;
}

int main(void)
{
    run_threads(2, add);
    assert(counter == 2);
    return 0;
}
