/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* only: clang */
/* note: the other thread uses the variable after its block was left, in order */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) given;
static atomic_int gone;

static void *use(void *arg)
{
    int *number = atomic_load(&given);
    if (number && atomic_load(&gone))
        *number = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, use, NULL);
    {
        int own = 1;
        atomic_store(&given, &own);
    }
    atomic_store(&gone, 1);
    pthread_join(t, NULL);
    return 0;
}
