/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: nobody is left who could set the flag when the store came before the reset */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *setter(void *arg)
{
    (void)arg;
    atomic_store(&ready, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, setter, NULL);
    atomic_store(&ready, 0);
    while (!atomic_load(&ready))
        ;
    pthread_join(t, NULL);
    return 0;
}
