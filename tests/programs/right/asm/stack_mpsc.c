/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a stack that two push to; the third takes all of it */
#include "../../x86.h"

struct node {
    struct node *next;
    int value;
};
static struct node nodes[2], *top;

static void push(struct node *n)
{
    struct node *old;
#ifdef BREAK_CAS
    n->next = LOAD_PTR(&top);
    STORE_PTR(&top, n);
    (void)old;
#else
    do {
        old = LOAD_PTR(&top);
        STORE_PTR(&n->next, old);
    } while (!cas_ptr((pointer *)&top, old, n));
#endif
}

static void *producer(void *arg)
{
    struct node *n = &nodes[(intptr_t)arg];
    n->value = 1 + (int)(intptr_t)arg;
    push(n);
    return arg;
}

int main(void)
{
    int sum = 0;
    run_threads(2, producer);
    for (struct node *n = swap_ptr((pointer *)&top, NULL); n; n = n->next)
        sum += n->value;
    assert(sum == 3);
    return 0;
}
