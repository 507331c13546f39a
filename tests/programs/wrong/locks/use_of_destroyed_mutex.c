/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated misuse */
#include <pthread.h>

static pthread_mutex_t lock;

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_mutex_destroy(&lock);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
