/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated unlock-not-held */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *intruder(void *arg)
{
    (void)arg;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&lock);
    pthread_create(&t, NULL, intruder, NULL);
    pthread_join(t, NULL);
    return 0;
}
