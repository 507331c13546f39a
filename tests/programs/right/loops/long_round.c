/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
/* note: a round of a dozen reads */
#include <pthread.h>
#include <stdatomic.h>

enum { FLAGS = 12 };
static atomic_int flags[FLAGS];

static int is_any_set(void)
{
    for (int k = 0; k < FLAGS; k++)
        if (atomic_load(&flags[k]))
            return 1;
    return 0;
}

static void *wait_for(void *arg)
{
    while (!is_any_set())
        continue;
    return arg;
}

static void *set(void *arg)
{
    atomic_store(&flags[FLAGS - 1], 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, wait_for, NULL);
    pthread_create(&t[1], NULL, set, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
