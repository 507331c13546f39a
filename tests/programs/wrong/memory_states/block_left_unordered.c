/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: all */
/* only: clang */
/* note: nothing orders the other thread's atomic read before the end of the block */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void *use(void *arg)
{
    atomic_load((atomic_int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t t;
    {
        atomic_int own = 1;
        pthread_create(&t, NULL, use, &own);
    }
    pthread_join(t, NULL);
    return 0;
}
