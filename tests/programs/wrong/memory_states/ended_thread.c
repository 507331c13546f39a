/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* mode: dfs */
/* note: the stack of a thread that has been joined */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void *work(void *arg)
{
    atomic_int own = 1;
    *(atomic_int **)arg = &own;
    return atomic_load(&own) ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    static atomic_int *kept;
    pthread_create(&t, NULL, work, &kept);
    pthread_join(t, NULL);
    return atomic_load(kept) == 7;
}
