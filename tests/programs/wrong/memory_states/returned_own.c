/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated use-after-return */
/* races: inconclusive */
/* mode: dfs */
/* note: the thread itself uses what a function left behind */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int *kept;

static __attribute__((noinline)) void keep(void)
{
    atomic_int own = 1;
    kept = &own;
    atomic_fetch_add(&own, 1);
}

static void *work(void *arg)
{
    keep();
    atomic_fetch_add(kept, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
