/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: dfs */
/* note: a plain read through a pointer that outlived its variable */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int *kept;

static __attribute__((noinline)) void keep(void)
{
    int own = 1;
    kept = &own;
}

static void *work(void *arg)
{
    keep();
    return *kept ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
