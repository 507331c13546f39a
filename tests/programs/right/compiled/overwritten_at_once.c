/* SPDX-License-Identifier: Apache-2.0 */
/* expect: holds */
/* note: the same under a lock */
#include <pthread.h>

static int state;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
    pthread_mutex_lock(&lock);
    state = 1;
    state = 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&lock);
    state = 1;
    state = 2;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, first, NULL);
    pthread_create(&t[1], NULL, second, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
