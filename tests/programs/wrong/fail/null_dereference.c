/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated crash */
/* note: only when the reader comes first */
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) shared;
int value = 4, copy;

static void *publish(void *arg)
{
    (void)arg;
    atomic_store(&shared, &value);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, publish, NULL);
    copy = *atomic_load(&shared);
    pthread_join(t, NULL);
    return 0;
}
