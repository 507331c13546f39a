/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated assert */
/* mode: all */
/* note: rand_r with a seed that two threads share, read and written back in two atomic steps */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint seed = 1;
static atomic_int numbers[2];

static void draw(int me)
{
    unsigned own = atomic_load(&seed);
    atomic_store(&numbers[me], rand_r(&own));
    atomic_store(&seed, own);
}

static void *one(void *unused)
{
    (void)unused;
    draw(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, one, NULL);
    draw(1);
    pthread_join(t, NULL);
    assert(atomic_load(&numbers[0]) != atomic_load(&numbers[1]));
    return 0;
}
