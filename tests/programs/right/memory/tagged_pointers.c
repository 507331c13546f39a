/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the low bit of a pointer carries a mark; pointers as integers and back */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
};

static _Atomic uintptr_t slot;

static void *marker(void *arg)
{
    (void)arg;
    uintptr_t old = atomic_fetch_or(&slot, 1);
    assert(((struct node *)(old & ~(uintptr_t)1))->value == 6);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct node *n = malloc(sizeof *n);
    n->value = 6;
    atomic_store(&slot, (uintptr_t)n);
    pthread_create(&a, NULL, marker, NULL);
    pthread_create(&b, NULL, marker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    uintptr_t end = atomic_load(&slot);
    assert(end == ((uintptr_t)n | 1));
    free((struct node *)(end & ~(uintptr_t)1));
    return 0;
}
