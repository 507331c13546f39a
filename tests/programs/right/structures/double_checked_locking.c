/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the fast path acquires what the slow path released */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int made;

static int *get(void)
{
    int *p = atomic_load_explicit(&instance, memory_order_acquire);
    if (p)
        return p;
    pthread_mutex_lock(&lock);
    p = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!p) {
        p = malloc(sizeof *p);
        *p = 11;
        made++;
        atomic_store_explicit(&instance, p, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return p;
}

static void *use(void *arg)
{
    (void)arg;
    assert(*get() == 11);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(made == 1);
    free(get());
    return 0;
}
