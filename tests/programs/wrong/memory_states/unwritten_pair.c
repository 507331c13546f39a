/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated uninitialised */
/* mode: all */
/* flags: -latomic */
/* note: an access of 16 bytes */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct pair {
    long first, second;
};
static _Atomic(_Atomic(struct pair) *) head;

static void *publish(void *unused)
{
    _Atomic(struct pair) *n = aligned_alloc(16, sizeof *n);
    atomic_store_explicit(&head, n, memory_order_release);
    atomic_store(n, ((struct pair){1, 2}));
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    _Atomic(struct pair) *n = atomic_load_explicit(&head, memory_order_acquire);
    struct pair p = n ? atomic_load(n) : (struct pair){0, 0};
    pthread_join(t, NULL);
    free(atomic_load(&head));
    return p.first < 0;
}
