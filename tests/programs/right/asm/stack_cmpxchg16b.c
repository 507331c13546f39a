/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* machine: x86-64 */
/* note: a pointer and a generation in 16 bytes, read and written as a whole */
#include "../../x86.h"

struct node {
    uint64_t next;
    int value;
};
struct top {
    uint64_t node, generation;
} __attribute__((aligned(16)));
static struct top top;
static struct node nodes[2];

static bool cas_top(struct top *old, struct top value)
{
    bool done;
    __asm__ __volatile__(LOCK "cmpxchg16b %0; setz %1"
                         : "+m"(top), "=q"(done), "+a"(old->node), "+d"(old->generation)
                         : "b"(value.node), "c"(value.generation)
                         : "memory", "cc");
    return done;
}

static void *push(void *arg)
{
    struct node *n = &nodes[(intptr_t)arg];
    struct top old = {0, 0};
    n->value = 1;
    do {
        n->next = old.node;
    } while (!cas_top(&old, (struct top){(uintptr_t)n, old.generation + 1}));
    return arg;
}

int main(void)
{
    struct top end = {0, 0};
    int sum = 0;
    run_threads(2, push);
    cas_top(&end, end);
    for (struct node *n = (struct node *)end.node; n; n = (struct node *)n->next)
        sum += n->value;
    assert(sum == 2 && end.generation == 2);
    return 0;
}
