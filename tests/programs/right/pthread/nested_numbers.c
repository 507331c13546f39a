/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: two threads create and detach others, whose numbers and whose handles depend on the order; only atomic variables are shared */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum, ends;

static void *add(void *what)
{
    atomic_fetch_add(&sum, (int)(long)what);
    atomic_fetch_add(&ends, 1);
    return NULL;
}

static void *create(void *what)
{
    pthread_t first, second;
    pthread_create(&first, NULL, add, what);
    pthread_create(&second, NULL, add, what);
    pthread_detach(first);
    pthread_join(second, NULL);
    assert(atomic_load(&sum) >= (int)(long)what);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, create, (void *)1);
    pthread_create(&t[1], NULL, create, (void *)10);
    pthread_detach(t[0]);
    pthread_detach(t[1]);
    while (atomic_load(&ends) < 4)
        ;
    assert(atomic_load(&sum) == 22);
    pthread_exit(NULL);
}
