/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* mode: all */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int owner;

static void take(int me)
{
    pthread_mutex_lock(&lock);
    owner = me;
    assert(owner == me);
    pthread_mutex_unlock(&lock);
}

static void *one(void *unused)
{
    (void)unused;
    take(1);
    return NULL;
}

static void *two(void *unused)
{
    (void)unused;
    take(2);
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
