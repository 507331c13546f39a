/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: destructors run at the thread's end with its own value, before join returns */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
static int destroyed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void destroy(void *p)
{
    pthread_mutex_lock(&lock);
    destroyed += *(int *)p;
    pthread_mutex_unlock(&lock);
    free(p);
}

static void *work(void *arg)
{
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)arg;
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_setspecific(key, mine) == 0);
    assert(pthread_getspecific(key) == mine);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int one = 1, ten = 10;
    assert(pthread_key_create(&key, destroy) == 0);
    pthread_create(&a, NULL, work, &one);
    pthread_create(&b, NULL, work, &ten);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(destroyed == 11);
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_key_delete(key) == 0);
    return 0;
}
