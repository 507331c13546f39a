/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
/* note: the bad address is used by an atomic operation, which the runtime performs */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(atomic_int *) shared;
static atomic_int counter;

static void *publish(void *arg)
{
    (void)arg;
    atomic_store(&shared, &counter);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    atomic_fetch_add(atomic_load(&shared), 1);
    pthread_join(t, NULL);
    return 0;
}
