/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: atomic_init of fresh memory, then published */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int count;
    int plain;
};

static _Atomic(struct node *) shared;

static void *user(void *arg)
{
    (void)arg;
    struct node *n = atomic_load_explicit(&shared, memory_order_acquire);
    if (n) {
        assert(n->plain == 3);
        atomic_fetch_add_explicit(&n->count, 1, memory_order_relaxed);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    struct node *n = malloc(sizeof *n);
    atomic_init(&n->count, 10);
    n->plain = 3;
    atomic_store_explicit(&shared, n, memory_order_release);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n->count >= 10 && n->count <= 12);
    free(n);
    return 0;
}
