/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated unlock-not-held */
/* note: only on one path, when the other thread got there first */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int used;

static void *work(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    if (used)
        pthread_mutex_unlock(&lock);
    used = 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    work(NULL);
    return 0;
}
