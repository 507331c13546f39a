/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated exit */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int broken;

static void *work(void *arg)
{
    (void)arg;
    if (atomic_load(&broken))
        exit(3);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    atomic_store(&broken, 1);
    pthread_join(t, NULL);
    return 0;
}
