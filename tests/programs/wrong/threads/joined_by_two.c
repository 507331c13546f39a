/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* mode: dfs */
/* note: two threads join a third, each only in some executions; what each does is known before the one in which both do */
#include <pthread.h>
#include <stdatomic.h>

static atomic_ulong handle;
static atomic_int first, second;

static void *nothing(void *arg)
{
    return arg;
}

static void *join_first(void *arg)
{
    if (atomic_load(&first) == 1)
        pthread_join(atomic_load(&handle), NULL);
    return arg;
}

static void *join_second(void *arg)
{
    if (atomic_load(&second) == 1)
        pthread_join(atomic_load(&handle), NULL);
    return arg;
}

static void *allow(void *flag)
{
    atomic_store((atomic_int *)flag, 1);
    return NULL;
}

int main(void)
{
    pthread_t joined, t[4];
    pthread_create(&joined, NULL, nothing, NULL);
    atomic_store(&handle, joined);
    pthread_create(&t[0], NULL, join_first, NULL);
    pthread_create(&t[1], NULL, join_second, NULL);
    pthread_create(&t[2], NULL, allow, &first);
    pthread_create(&t[3], NULL, allow, &second);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
}
