/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: waits without a predicate: a signal before the wait is lost */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *signaller(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, signaller, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
