/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: the thread is detached in some executions only, and nothing on the stack says so when it is joined or not */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int detach, wait, unused;

static void *nothing(void *arg)
{
    return arg;
}

static void *set(void *flag)
{
    atomic_store((atomic_int *)flag, 1);
    return NULL;
}

int main(void)
{
    pthread_t t, u, v;
    pthread_create(&u, NULL, set, &detach);
    pthread_create(&v, NULL, set, &wait);
    pthread_create(&t, NULL, nothing, NULL);
    if (atomic_load(&detach))
        pthread_detach(t);
    atomic_load(&unused);
    if (atomic_load(&wait))
        pthread_join(t, NULL);
    pthread_join(u, NULL);
    pthread_join(v, NULL);
}
