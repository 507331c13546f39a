/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: dfs */
/* Which number a thread gets depends on who comes first; each waits for its own children. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *add(void *to)
{
    atomic_fetch_add((atomic_int *)to, 1);
    return NULL;
}

static void *work(void *to)
{
    pthread_t t;
    pthread_create(&t, NULL, add, to);
    pthread_join(t, NULL);
    int seen = atomic_load((atomic_int *)to);
    assert(seen == 1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, work, &x);
    pthread_create(&t[1], NULL, work, &y);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}
