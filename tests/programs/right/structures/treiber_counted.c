/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* flags: -mcx16 */
/* note: nodes come back through a free list; a counter next to the pointer prevents ABA */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

struct head {
    struct node *node;
    uintptr_t count;
};

static _Atomic struct head stack, unused;
static struct node nodes[3];

static void push(_Atomic struct head *list, struct node *n)
{
    struct head old = atomic_load(list), new;
    do {
        atomic_store(&n->next, old.node);
        new = (struct head){n, old.count + 1};
    } while (!atomic_compare_exchange_weak(list, &old, new));
}

static struct node *pop(_Atomic struct head *list)
{
    struct head old = atomic_load(list), new;
    do {
        if (!old.node)
            return NULL;
        new = (struct head){atomic_load(&old.node->next), old.count + 1};
    } while (!atomic_compare_exchange_weak(list, &old, new));
    return old.node;
}

static void *work(void *arg)
{
    (void)arg;
    struct node *n = pop(&unused);
    assert(n);
    n->value++;
    push(&stack, n);
    n = pop(&stack);
    assert(n && n->value == 1);
    n->value--;
    push(&unused, n);
    return NULL;
}

int main(void)
{
    pthread_t t;
    for (int i = 0; i < 3; i++)
        push(&unused, &nodes[i]);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(pop(&unused) && pop(&unused) && pop(&unused) && !pop(&unused));
    return 0;
}
