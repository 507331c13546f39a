/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: atomic_init of objects of many types, before they are published */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    int first, second;
};
struct odd {
    char bytes[3];
};
struct node {
    _Atomic(struct node *) next;
    atomic_int number;
    _Atomic struct pair pair;
    _Atomic struct odd odd;
    atomic_bool known;
    _Atomic double ratio;
    volatile atomic_long count;
};
static _Atomic(struct node *) head;

static void *use(void *arg)
{
    struct node *n = atomic_load_explicit(&head, memory_order_acquire);
    if (!n)
        return arg;
    struct pair pair = atomic_load(&n->pair);
    struct odd odd = atomic_load(&n->odd);
    assert(!atomic_load(&n->next) && atomic_load(&n->number) == 3);
    assert(pair.first == 1 && pair.second == 2 && odd.bytes[2] == 9);
    assert(atomic_load(&n->known) && atomic_load(&n->ratio) == 1.5 && atomic_load(&n->count) == 7);
    atomic_fetch_add(&n->number, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    struct node *n = malloc(sizeof *n), *nodes[] = {n};
    int evaluated = 0;
    atomic_init(&nodes[evaluated++]->next, NULL);
    atomic_init(&n->number, evaluated + 2);
    atomic_init(&n->pair, ((struct pair){1, 2}));
    atomic_init(&n->odd, ((struct odd){{7, 8, 9}}));
    if (evaluated == 1)
        atomic_init(&n->known, 1);
    else
        atomic_init(&n->known, 0);
    atomic_init(&n->ratio, 1.5), atomic_init(&n->count, 7);
    atomic_store_explicit(&head, n, memory_order_release);
    pthread_join(t, NULL);
    free(n);
    return 0;
}
