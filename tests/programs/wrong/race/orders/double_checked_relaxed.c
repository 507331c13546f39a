/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* tso: holds */
/* sc: holds */
/* note: the pointer is atomic, but the fast path does not acquire */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *get(void)
{
    int *p = atomic_load_explicit(&instance, memory_order_relaxed);
    if (p)
        return p;
    pthread_mutex_lock(&lock);
    p = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!p) {
        p = malloc(sizeof *p);
        *p = 11;
        atomic_store_explicit(&instance, p, memory_order_relaxed);
    }
    pthread_mutex_unlock(&lock);
    return p;
}

static void *use(void *arg)
{
    int *copy = arg;
    *copy = *get();
    return NULL;
}

int main(void)
{
    pthread_t t;
    static int mine, theirs;
    pthread_create(&t, NULL, use, &theirs);
    use(&mine);
    pthread_join(t, NULL);
    free(atomic_load(&instance));
    return 0;
}
