/* SPDX-License-Identifier: Apache-2.0 */
/* expect: violated destroy-in-use */
#include <pthread.h>

static void *work(void *arg)
{
    pthread_mutex_t *lock = arg;
    pthread_mutex_lock(lock);
    pthread_mutex_destroy(lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    static pthread_mutex_t lock;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, work, &lock);
    pthread_join(t, NULL);
    return 0;
}
