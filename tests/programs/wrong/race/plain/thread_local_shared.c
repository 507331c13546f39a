/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated race */
/* note: thread-local does not help once its address is given away */
#include <pthread.h>
#include <stdatomic.h>

static _Thread_local int mine;
static _Atomic(int *) given;

static void *meddle(void *arg)
{
    (void)arg;
    int *p = atomic_load(&given);
    *p = 2;
    return NULL;
}

int main(void)
{
    pthread_t t;
    atomic_store(&given, &mine);
    pthread_create(&t, NULL, meddle, NULL);
    mine = 1;
    pthread_join(t, NULL);
    return 0;
}
