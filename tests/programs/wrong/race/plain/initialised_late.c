/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: atomic_init is not atomic */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int number;

static void *store(void *arg)
{
    atomic_store(&number, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, store, NULL);
    atomic_init(&number, 3);
    pthread_join(t, NULL);
    return 0;
}
