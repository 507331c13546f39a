/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: dfs */
/* note: what the thread that ends the process has read may have been written by one that is created later */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *leave(void *arg)
{
    assert(atomic_load(&x) == 0);
    _Exit(0);
    return arg;
}

static void *set_x(void *arg)
{
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, leave, NULL);
    pthread_create(&t[1], NULL, set_x, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
