/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* all: inconclusive */
/* flags: -Wno-atomic-alignment */
/* note: 24 bytes: the compiler calls the generic __atomic_load, __atomic_store and friends */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct triple {
    long a, b, c;
};

static _Atomic struct triple shared;

static void *writer(void *arg)
{
    long v = *(long *)arg;
    atomic_store(&shared, ((struct triple){v, v, v}));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    long one = 1, two = 2;
    pthread_create(&a, NULL, writer, &one);
    pthread_create(&b, NULL, writer, &two);
    struct triple t = atomic_load(&shared);
    assert(t.a == t.b && t.b == t.c);
    struct triple seen = atomic_exchange(&shared, ((struct triple){3, 3, 3}));
    assert(seen.a == seen.c);
    atomic_compare_exchange_strong(&shared, &seen, ((struct triple){4, 4, 4}));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    t = atomic_load(&shared);
    assert(t.a == t.b && t.b == t.c && t.a >= 1);
    return 0;
}
