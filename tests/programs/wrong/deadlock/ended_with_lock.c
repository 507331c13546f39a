/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated deadlock */
/* note: a thread ends without letting its mutex go */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *forgetful(void *arg)
{
    pthread_mutex_lock(&lock);
    if (!arg)
        pthread_exit(NULL);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, forgetful, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
