/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* Two threads create threads. The second one's has a number from an execution in which it came later than the first one's:
 * the recorded execution has to name it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int created;

static void *leaf(void *arg)
{
    assert(arg == NULL);
    return NULL;
}

static void *first(void *arg)
{
    pthread_t t;
    int seen = atomic_load(&created);
    pthread_create(&t, NULL, leaf, seen ? &created : NULL);
    pthread_join(t, NULL);
    return arg;
}

static void *second(void *arg)
{
    pthread_t t;
    pthread_create(&t, NULL, leaf, NULL);
    atomic_store(&created, 1);
    pthread_join(t, NULL);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
