/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int inside;

static void enter(int me)
{
    atomic_store(&wants[me], 1);
    if (!atomic_load(&wants[!me])) {
        assert(atomic_fetch_add(&inside, 1) == 0);
        atomic_fetch_sub(&inside, 1);
    }
}

static void *one(void *unused)
{
    (void)unused;
    enter(0);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    enter(1);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
