/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: a thread detaches itself in some executions, main joins it in some; in some both */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int detach, wait;

static void *leave(void *arg)
{
    if (atomic_load(&detach))
        pthread_detach(pthread_self());
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
    pthread_create(&t, NULL, leave, NULL);
    pthread_create(&u, NULL, set, &detach);
    pthread_create(&v, NULL, set, &wait);
    if (atomic_load(&wait))
        pthread_join(t, NULL);
    pthread_join(u, NULL);
    pthread_join(v, NULL);
}
