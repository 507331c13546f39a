/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
#include <pthread.h>
#include <stdatomic.h>

typedef void callback(void);

static void harmless(void)
{
}

static _Atomic(callback *) hook;

static void *install(void *arg)
{
    (void)arg;
    atomic_store(&hook, harmless);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, install, NULL);
    callback *call = atomic_load(&hook);
    call();
    pthread_join(t, NULL);
    return 0;
}
