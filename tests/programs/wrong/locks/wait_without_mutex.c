/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
/* note: a condition wait by a thread that does not hold the mutex */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *signaller(void *arg)
{
    (void)arg;
    pthread_cond_signal(&changed);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, signaller, NULL);
    pthread_cond_wait(&changed, &lock);
    pthread_join(t, NULL);
    return 0;
}
